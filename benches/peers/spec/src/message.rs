//! What is sent between clients and server.

/// The idempotency key of an operation: all its attempts carry it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// Whose operation.
    pub client: u8,
    /// Which of its operations.
    pub operation: u8,
}

impl Key {
    /// As one number.
    pub const fn number(self) -> u64 {
        (self.client as u64) << 8 | self.operation as u64
    }

    /// What a server that works responds.
    pub const fn response(self) -> u64 {
        self.number().wrapping_add(1).wrapping_mul(0xd6e8_feb8_6659_fd93)
    }
}

/// A message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Message {
    /// To the server: apply the effect of this operation, once.
    Request(Key),
    /// To the client: it was done, and this came of it.
    Response(Key, u64),
}

const REQUEST: u8 = 1;
const RESPONSE: u8 = 2;

impl Message {
    /// Bytes of a message on the wire.
    pub const BYTES: usize = 11;

    /// The message as bytes, for peers whose network carries those.
    pub fn to_bytes(self) -> [u8; Self::BYTES] {
        let (kind, key, response) = match self {
            Self::Request(key) => (REQUEST, key, 0),
            Self::Response(key, response) => (RESPONSE, key, response),
        };
        let mut bytes = [0; Self::BYTES];
        bytes[..3].copy_from_slice(&[kind, key.client, key.operation]);
        bytes[3..].copy_from_slice(&response.to_le_bytes());
        bytes
    }

    /// The message that these bytes are. They are what [`Message::to_bytes`] made: no network here alters them.
    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> Self {
        let [kind, client, operation, response @ ..] = *bytes;
        let key = Key { client, operation };
        match kind {
            REQUEST => Self::Request(key),
            RESPONSE => Self::Response(key, u64::from_le_bytes(response)),
            other => panic!("no message is of kind {other}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_survives_the_wire() {
        let key = Key { client: 3, operation: 24 };
        for message in [Message::Request(key), Message::Response(key, key.response())] {
            assert_eq!(Message::from_bytes(&message.to_bytes()), message);
        }
    }
}
