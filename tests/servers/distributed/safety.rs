//! Credentials and certificates as NATS has them, each against a server that wants them, and no
//! secret in any output.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use nkeys::KeyPair;
use tempfile::TempDir;

use super::server::{Server, errors};
use super::{SERIES, series};
use crate::common::{Deadline, nonet};

/// A variable of the environment.
type Variable<'a> = (&'a str, &'a str);

/// The series over this server with these credentials, as talkative as it can be.
fn played(server: &Server, url: &str, credentials: &[Variable]) -> Output {
    let mut command = nonet(SERIES);
    command.args(["--nats", url, "--verify", "0"]);
    command.envs(credentials.iter().copied()).env("RUST_LOG", "trace");
    assert!(server.port > 0);
    command.ended()
}

/// Lets a worker and a coordinator in with `right`, and refuses `wrong` in words; `secrets` occur
/// in no output.
fn check(server: &Server, right: &[Variable], wrong: &[Variable], words: &str, secrets: &[&str]) {
    let url = server.url();
    let _worker = server.worker_as("worker", right);
    std::thread::sleep(Duration::from_millis(1000));
    let done = played(server, &url, right);
    let said = errors(&done);
    series(&done);
    assert!(!said.starts_with("0 parts") && said.contains("parts done by workers"), "{said}");
    let mut outputs = vec![done];
    for bad in [wrong, &[]] {
        let refused = played(server, &url, bad);
        let said = errors(&refused);
        assert!(!refused.status.success() && refused.stdout.is_empty(), "{said}");
        assert!(said.contains(words), "{said}");
        outputs.push(refused);
    }
    for output in &outputs {
        let all = format!("{}{}", errors(output), String::from_utf8_lossy(&output.stdout));
        assert!(secrets.iter().all(|secret| !all.contains(secret)), "a secret in: {all}");
    }
}

const REFUSED: &str = "it does not accept the credentials";

#[test]
fn a_user_needs_the_right_password() {
    let settings = "authorization { user: ann, password: \"correct-horse\" }";
    let Some(server) = Server::with(folder(), "", settings) else { return };
    let user = |password| [("NATS_USER", "ann"), ("NATS_PASSWORD", password)];
    let (right, wrong) = (user("correct-horse"), user("battery-staple"));
    check(&server, &right, &wrong, REFUSED, &["correct-horse", "battery-staple"]);
    // The same in the address.
    let url = format!("nats://ann:battery-staple@127.0.0.1:{}", server.port);
    let said = errors(&played(&server, &url, &[]));
    assert!(said.contains(REFUSED) && !said.contains("battery-staple"), "{said}");
}

#[test]
fn a_token_must_be_the_right_one() {
    let settings = "authorization { token: \"t0ken-of-the-lab\" }";
    let Some(server) = Server::with(folder(), "", settings) else { return };
    let (right, wrong) = ([("NATS_TOKEN", "t0ken-of-the-lab")], [("NATS_TOKEN", "g0essed")]);
    check(&server, &right, &wrong, REFUSED, &["t0ken-of-the-lab", "g0essed"]);
}

#[test]
fn an_nkey_must_be_that_of_a_user() {
    let (known, stranger) = (KeyPair::new_user(), KeyPair::new_user());
    let folder = folder();
    let file = |name: &str, key: &KeyPair| {
        let path = folder.path().join(name);
        fs::write(&path, key.seed().expect("own seed")).expect("written");
        path.display().to_string()
    };
    let (right, wrong) = (file("known.nk", &known), file("stranger.nk", &stranger));
    let settings = format!("authorization {{ users: [ {{ nkey: {} }} ] }}", known.public_key());
    let Some(server) = Server::with(folder, "", &settings) else { return };
    let seeds = [known, stranger].map(|key| key.seed().expect("own seed"));
    let secrets = [&seeds[0][..], &seeds[1][..]];
    check(&server, &[("NATS_NKEY", &right)], &[("NATS_NKEY", &wrong)], REFUSED, &secrets);
    let output = played(&server, &server.url(), &[("NATS_NKEY", "/nowhere/user.nk")]);
    assert!(errors(&output).contains("cannot read /nowhere/user.nk"), "{}", errors(&output));
}

/// Base64 for URLs, without padding.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().fold(0_u32, |word, byte| word << 8 | u32::from(*byte));
        let word = word << (8 * (3 - chunk.len()));
        for place in 0..=chunk.len() {
            text.push(LETTERS[(word >> (18 - 6 * place) & 63) as usize].into());
        }
    }
    text
}

/// A claim about `subject`, signed:
/// <https://docs.nats.io/running-a-nats-service/configuration/securing_nats/auth_intro/jwt>.
fn claim(subject: &KeyPair, signer: &KeyPair, name: &str, nats: &str) -> String {
    let header = base64(br#"{"typ":"JWT","alg":"ed25519-nkey"}"#);
    let (subject, issuer) = (subject.public_key(), signer.public_key());
    let body = format!(
        r#"{{"jti":"{name}","iat":1700000000,"iss":"{issuer}","name":"{name}","sub":"{subject}","nats":{nats}}}"#
    );
    let signed = format!("{header}.{}", base64(body.as_bytes()));
    let signature = signer.sign(signed.as_bytes()).expect("signed");
    format!("{signed}.{}", base64(&signature))
}

#[test]
fn a_user_with_a_jwt_must_belong_to_the_account() {
    let (operator, system) = (KeyPair::new_operator(), KeyPair::new_account());
    let (account, other) = (KeyPair::new_account(), KeyPair::new_account());
    let limits = r#""limits":{"subs":-1,"data":-1,"payload":-1,"imports":-1,"exports":-1,"wildcards":true,"conn":-1,"leaf":-1,"mem_storage":-1,"disk_storage":-1,"streams":-1,"consumer":-1}"#;
    let of_account = format!(r#"{{{limits},"type":"account","version":2}}"#);
    let of_system =
        of_account.replace(r#","mem_storage":-1,"disk_storage":-1,"streams":-1,"consumer":-1"#, "");
    let of_user =
        r#"{"pub":{},"sub":{},"subs":-1,"data":-1,"payload":-1,"type":"user","version":2}"#;
    let folder = folder();
    let credentials = |name: &str, account: &KeyPair| {
        let user = KeyPair::new_user();
        let jwt = claim(&user, account, name, of_user);
        let seed = user.seed().expect("own seed");
        let path = folder.path().join(name);
        let text = format!(
            "-----BEGIN NATS USER JWT-----\n{jwt}\n------END NATS USER JWT------\n\n\
             -----BEGIN USER NKEY SEED-----\n{seed}\n------END USER NKEY SEED------\n"
        );
        fs::write(&path, text).expect("written");
        (path.display().to_string(), seed)
    };
    let (right, wrong) = (credentials("own.creds", &account), credentials("other.creds", &other));
    let settings = format!(
        "operator: {}\nsystem_account: {}\nresolver: MEMORY\nresolver_preload: {{ {}: {}, {}: {} }}\n",
        claim(&operator, &operator, "lab", r#"{"type":"operator","version":2}"#),
        system.public_key(),
        system.public_key(),
        claim(&system, &operator, "SYS", &of_system),
        account.public_key(),
        claim(&account, &operator, "nonet", &of_account),
    );
    let Some(server) = Server::with(folder, "", &settings) else { return };
    let secrets = [&right.1[..], &wrong.1[..]];
    check(&server, &[("NATS_CREDS", &right.0)], &[("NATS_CREDS", &wrong.0)], REFUSED, &secrets);
}

/// Certificates of an authority of its own, by openssl: one for 127.0.0.1, one that has expired,
/// one for a client.
fn certificates(folder: &Path) {
    let openssl = |words: &str| {
        let output = Command::new("openssl").args(words.split(' ')).current_dir(folder).output();
        let output = output.expect("openssl is installed");
        assert!(output.status.success(), "{words}: {}", errors(&output));
    };
    fs::write(folder.join("server.ext"), "subjectAltName=IP:127.0.0.1\n").expect("written");
    fs::write(folder.join("client.ext"), "extendedKeyUsage=clientAuth\n").expect("written");
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
    for authority in ["ca", "strange"] {
        openssl(&format!(
            "req -x509 {key} -keyout {authority}.key -out {authority}.pem -days 2 -subj /CN={authority}"
        ));
    }
    for (name, kind, days) in
        [("server", "server", "2"), ("old", "server", "0"), ("client", "client", "2")]
    {
        openssl(&format!("req {key} -keyout {name}.key -out {name}.csr -subj /CN={name}"));
        openssl(&format!(
            "x509 -req -in {name}.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out {name}.pem -days {days} \
             -extfile {kind}.ext"
        ));
    }
}

#[test]
fn certificates_must_be_trusted_valid_and_for_clients_there() {
    let folder = folder();
    certificates(folder.path());
    let path = |name: &str| folder.path().join(name).display().to_string();
    let tls = |name: &str, verify: &str| {
        let [key, pem] = [path(&format!("{name}.key")), path(&format!("{name}.pem"))];
        format!(
            "tls {{ cert_file: {pem:?}, key_file: {key:?}, ca_file: {:?}, timeout: 5, {verify} }}",
            path("ca.pem")
        )
    };
    let with = |settings: &str| Server::with(TempDir::new().expect("a folder"), "", settings);
    let (ca, strange) = (path("ca.pem"), path("strange.pem"));
    let trusted = [("NATS_CA", ca.as_str())];
    let Some(server) = with(&tls("server", "")) else { return };
    let untrusted = "signed by no authority that is trusted here: set NATS_CA";
    check(&server, &trusted, &[("NATS_CA", &strange)], untrusted, &["PRIVATE KEY"]);
    let Some(server) = with(&tls("old", "")) else { return };
    let said = errors(&played(&server, &server.url(), &trusted));
    assert!(said.contains("its certificate has expired"), "{said}");
    let Some(server) = with(&tls("server", "verify: true")) else { return };
    let own = [path("client.pem"), path("client.key")];
    let both = [trusted[0], ("NATS_CERT", &own[0]), ("NATS_KEY", &own[1])];
    check(&server, &both, &trusted, "certificate", &["PRIVATE KEY"]);
}

fn folder() -> TempDir {
    TempDir::new().expect("a folder")
}
