#![doc = include_str!("../README.md")]

pub mod board;
pub mod codec;
pub mod message;
mod password;
pub mod rating;
pub mod rules;

pub use password::{Password, PasswordError};
