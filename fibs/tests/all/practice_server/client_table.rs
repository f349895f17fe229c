//! Every line that the server sends to programs is one that clients of FIBS know.

use super::{Client, server};
use crate::matches::lines_of_matches;

/// Whether a line begins as an entry of the table says.
fn matches(entry: &str, line: &str) -> bool {
    match entry.strip_prefix("...") {
        Some(entry) => line.char_indices().any(|(i, _)| begins(entry, &line[i..])),
        None => begins(entry, line.trim_start()),
    }
}

fn begins(mut entry: &str, mut line: &str) -> bool {
    while !entry.is_empty() {
        if entry == "$" {
            return line.is_empty();
        }
        if let Some(rest) = entry.strip_prefix("{*}") {
            return line.char_indices().any(|(i, _)| begins(rest, &line[i..]));
        }
        let of_kind: Option<fn(char) -> bool> = match entry.get(..entry.find('}').unwrap_or(0)) {
            Some("{name") => Some(|c| c.is_ascii_alphabetic() || c == '_'),
            Some("{n") => Some(|c| c.is_ascii_digit()),
            Some("{d") => Some(|c| ('1'..='6').contains(&c)),
            _ => None,
        };
        if let Some(of_kind) = of_kind {
            let rest = line.trim_start_matches(of_kind);
            if rest.len() == line.len() {
                return false;
            }
            line = rest;
            entry = &entry[entry.find('}').expect("found above") + 1..];
        } else if let Some(rest) = entry.strip_prefix(' ') {
            let after = line.trim_start_matches(' ');
            if after.len() == line.len() && !line.is_empty() {
                return false;
            }
            (entry, line) = (rest, after);
        } else {
            let Some(c) = entry.chars().next() else { return true };
            let Some(rest) = line.strip_prefix(c) else { return false };
            (entry, line) = (&entry[c.len_utf8()..], rest);
        }
    }
    true
}

/// The lines that no client knows, without the free text of the message of the day.
fn unknown(text: &str) -> Vec<String> {
    let table: Vec<&str> = include_str!("client_table.txt")
        .lines()
        .filter(|entry| !entry.is_empty() && !entry.starts_with('#'))
        .collect();
    let mut of_the_day = false;
    let mut free = |line: &&str| {
        of_the_day = (of_the_day || *line == "3") && *line != "4";
        of_the_day
    };
    let lines = text.split("\r\n").filter(|line| !line.is_empty());
    let mut unknown: Vec<String> = lines
        .filter(|line| !free(line) && !table.iter().any(|entry| matches(entry, line)))
        .map(str::to_owned)
        .collect();
    unknown.sort();
    unknown.dedup();
    unknown
}

#[test]
fn the_table_knows_sentences_and_no_others() {
    let unknown = unknown(
        "ann rolls 6 and 2.\r\nann rolls 7 and 2.\r\n3\r\nhello\r\n4\r\n6\r\n6 x\r\nfoo\r\n\
         bob drops connection. The game was saved.\r\n*  12 ann    1500.00     3\r\n",
    );
    assert_eq!(unknown, ["6 x", "ann rolls 7 and 2.", "foo"]);
}

#[tokio::test(start_paused = true)]
async fn clients_know_every_line_of_matches() {
    let lines = lines_of_matches().await;
    assert!(lines.len() > 5000, "{}", lines.len());
    assert_eq!(unknown(&lines.join("\r\n")), Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn clients_know_every_answer_to_commands() {
    let server = server(&["ann", "bob", "eve", "zoe"]);
    let mut clients = Vec::new();
    for name in ["ann", "bob", "eve"] {
        let mut client = Client::connect(&server).await;
        client.text.clear();
        client.say(&format!("login test 1008 {name} Zanzibar7")).await;
        clients.push(client);
    }
    // Who sends what, in this order. Left out are free text (help, about, motd, version, panic),
    // what only this server says (erase, redouble), and what the table lacks (last, where).
    for line in include_str!("client_commands.txt").lines().filter(|line| !line.is_empty()) {
        let (who, command) = line.split_once(' ').expect("a number and a command");
        let who: usize = who.parse().expect("a number");
        clients[who].say(command).await;
        for client in &mut clients {
            client.read().await;
        }
    }
    for client in &clients {
        assert!(client.text.lines().count() > 40, "{}", client.text);
        assert_eq!(unknown(&client.text), Vec::<String>::new());
    }
}
