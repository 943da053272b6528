//! The links that open the faces of a table: each is a secret of 128 bits that nobody can guess, and can be made void.

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::session::table_face::Face;
use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine as _};
use std::fmt;

/// Bytes of a secret.
const SECRET_BYTES: usize = 16;

/// What a link consists of. It is told to whoever is to have the link, and to nobody else: no log and no title has it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// One that was never there before.
    ///
    /// # Errors
    /// The system has no random numbers to give.
    pub fn new() -> Result<Self, Diagnostics> {
        let mut bytes = [0; SECRET_BYTES];
        getrandom::fill(&mut bytes).map_err(|error| {
            Diagnostic::new(format!("no link can be made: the system gives no random numbers: {error}"))
        })?;
        Ok(Self(BASE64_URL_SAFE_NO_PAD.encode(bytes)))
    }

    /// One that a journal has kept.
    pub fn kept(text: &str) -> Option<Self> {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).ok()?;
        (bytes.len() == SECRET_BYTES).then(|| Self(text.to_owned()))
    }

    /// Its text.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// A number by which secrets are looked up, so that how long a comparison takes tells nothing of them.
    fn number(text: &str) -> [u8; 32] {
        *blake3::hash(text.as_bytes()).as_bytes()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Secret(…)")
    }
}

/// All links of a table.
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
    /// The link of a face; a new one where there is none.
    ///
    /// # Errors
    /// The system has no random numbers to give.
    pub fn of(&mut self, face: Face) -> Result<Secret, Diagnostics> {
        if let Some(link) = self.known.iter().find(|link| link.face == face) {
            return Ok(link.secret.clone());
        }
        let secret = Secret::new()?;
        self.add(face, secret.clone());
        Ok(secret)
    }

    /// Takes up a link that was there before.
    pub fn add(&mut self, face: Face, secret: Secret) {
        self.known.retain(|link| link.face != face);
        let number = Secret::number(secret.text());
        self.known.push(Link { face, secret, number });
    }

    /// Makes a link void. Whether there was one.
    pub fn revoke(&mut self, face: Face) -> bool {
        let before = self.known.len();
        self.known.retain(|link| link.face != face);
        self.known.len() < before
    }

    /// What a secret opens; nothing where it is none.
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
