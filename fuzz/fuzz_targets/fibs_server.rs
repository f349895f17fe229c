//! Arbitrary lines of two clients: the server does not panic.

#![no_main]

use fibs::Password;
use fibs::client::Connect;
use fibs::server::{InProcessConnector, Options, Server};
use libfuzzer_sys::fuzz_target;
use tokio::io::AsyncWriteExt;

fuzz_target!(|data: &[u8]| {
    let Ok(runtime) =
        tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build()
    else {
        return;
    };
    runtime.block_on(async {
        let options = Options { state: None, sync: false, seed: 1, forgets: 0.1, clock: || 0 };
        let Ok(server) = Server::open(&options) else { return };
        let mut lines = Vec::new();
        for name in ["ann", "bob"] {
            let Ok(password) = Password::new("Zanzibar7") else { return };
            server.register(name, &password);
            let Ok(mut line) = InProcessConnector::new(&server, None).connect().await else {
                return;
            };
            let login = format!("login fuzz 1008 {name} Zanzibar7\r\n");
            let _ = line.write_all(login.as_bytes()).await;
            lines.push(line);
        }
        let _ = lines[0].write_all(b"invite bob 1\r\n").await;
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        let _ = lines[1].write_all(b"join ann\r\n").await;
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        // The first byte of each line says who speaks.
        for said in data.split_inclusive(|&byte| byte == b'\n') {
            let Some((&who, words)) = said.split_first() else { continue };
            let _ = lines[usize::from(who & 1)].write_all(words).await;
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    });
});
