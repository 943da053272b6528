//! The secret links that open the faces of a table. Each secret has 128 random bits; a link can be revoked.

use crate::catalogue::message;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::session::table_face::Face;
use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine as _};
use std::fmt;

/// Length of a secret, in bytes.
const SECRET_BYTES: usize = 16;

/// The secret part of a link, as base64. Only the holder of the link is told it; it appears in no log and no title.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Generates a new random secret.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub fn new() -> Result<Self, Diagnostics> {
        let mut bytes = [0; SECRET_BYTES];
        getrandom::fill(&mut bytes).map_err(|error| {
            Diagnostic::new(message!("no link can be made: the system gives no random numbers: {error}"))
        })?;
        Ok(Self(BASE64_URL_SAFE_NO_PAD.encode(bytes)))
    }

    /// Reads a secret that a journal has kept; `None` where the text is malformed.
    pub fn kept(text: &str) -> Option<Self> {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).ok()?;
        (bytes.len() == SECRET_BYTES).then(|| Self(text.to_owned()))
    }

    /// The secret as URL-safe base64.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// A hash to look secrets up by, so that the time of a comparison reveals nothing about the secret.
    fn number(text: &str) -> [u8; 32] {
        *blake3::hash(text.as_bytes()).as_bytes()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Secret(…)")
    }
}

/// The links of a table, at most one for each face.
#[derive(Debug, Default)]
pub struct Links {
    known: Vec<Link>,
}

#[derive(Clone, Debug)]
struct Link {
    face: Face,
    secret: Secret,
    number: [u8; 32],
}

impl Links {
    /// The secret of a face's link; creates one where the face has none.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub fn of(&mut self, face: Face) -> Result<Secret, Diagnostics> {
        if let Some(link) = self.known.iter().find(|link| link.face == face) {
            return Ok(link.secret.clone());
        }
        let secret = Secret::new()?;
        self.add(face, secret.clone());
        Ok(secret)
    }

    /// Adds the link of an earlier table, in place of the face's own.
    pub fn add(&mut self, face: Face, secret: Secret) {
        self.known.retain(|link| link.face != face);
        let number = Secret::number(secret.text());
        self.known.push(Link { face, secret, number });
    }

    /// Revokes the link of a face. Whether it had one.
    pub fn revoke(&mut self, face: Face) -> bool {
        let before = self.known.len();
        self.known.retain(|link| link.face != face);
        self.known.len() < before
    }

    /// The face that a secret opens; `None` for an unknown secret.
    pub fn face(&self, text: &str) -> Option<Face> {
        let number = Secret::number(text);
        self.known.iter().find(|link| link.number == number).map(|link| link.face)
    }

    /// Every face that has a link, with its secret.
    pub fn all(&self) -> impl Iterator<Item = (Face, &Secret)> {
        self.known.iter().map(|link| (link.face, &link.secret))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::table::value::Seat;

    #[test]
    fn a_link_opens_its_face_until_it_is_void() {
        let mut links = Links::default();
        let player = Face::Player(Seat(1));
        let secret = links.of(player).unwrap();
        assert_eq!(secret.text().len(), 22, "128 bits");
        assert_eq!(links.of(player).unwrap(), secret, "one link for one face");
        assert_ne!(links.of(Face::Screen).unwrap(), secret);
        assert_eq!(links.face(secret.text()), Some(player));
        assert_eq!(links.face(&secret.text()[1..]), None);
        assert_eq!(links.face(""), None);
        assert!(!format!("{links:?}").contains(secret.text()), "no log has it");
        assert!(links.revoke(player) && !links.revoke(player));
        assert_eq!(links.face(secret.text()), None);
        assert_ne!(links.of(player).unwrap(), secret);
        assert_eq!(Secret::kept(secret.text()), Some(secret));
        assert_eq!(Secret::kept("short"), None);
    }
}
