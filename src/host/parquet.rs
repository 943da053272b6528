//! Tables in the format of Apache Parquet, which notebooks and databases read.
//!
//! This is a small part of the format: columns of whole numbers, of decimals and of text, all of which may lack values;
//! no nesting, no compression. A column of few different values is written as a dictionary with the places of its
//! values in so many bits, which makes the files small without compressing them. The crate that writes all of the
//! format takes longer to build than the rest of the program.
//!
//! The format: <https://parquet.apache.org/docs/file-format/>. Its headers are structures of Thrift's compact protocol.

use std::collections::BTreeMap;
use std::io::{self, Write};

/// What a file begins and ends with.
const MAGIC: &[u8] = b"PAR1";

/// How a file begins that was written here. Where the values of a column are is said at the end, so something may stand
/// before all of them.
pub const MARKED: &str = "PAR1houserule";

/// Numbers of the format.
const DATA_PAGE: i32 = 0;
const DICTIONARY_PAGE: i32 = 2;
const PLAIN: i32 = 0;
const RLE: i32 = 3;
const RLE_DICTIONARY: i32 = 8;
const OPTIONAL: i32 = 1;
const UTF8: i32 = 0;

/// A column, with the values of the rows that are not written yet.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Whole numbers.
    Whole(Vec<Option<i64>>),
    /// Decimals.
    Decimal(Vec<Option<f64>>),
    /// Text.
    Text(Vec<Option<String>>),
}

/// A file on its way: rows come in groups, each of which is written at once, so memory is bounded by the largest group.
pub struct Parquet<W> {
    out: W,
    written: u64,
    names: Vec<String>,
    /// The type of each column, once there is a group.
    types: Vec<i32>,
    groups: Vec<Group>,
}

/// A group of rows that was written.
struct Group {
    rows: usize,
    chunks: Vec<Chunk>,
}

/// A column of a group: where it is.
struct Chunk {
    dictionary: Option<u64>,
    data: u64,
    bytes: u64,
}

impl Values {
    fn type_number(&self) -> i32 {
        match self {
            Self::Whole(_) => 2,
            Self::Decimal(_) => 5,
            Self::Text(_) => 6,
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Whole(values) => values.len(),
            Self::Decimal(values) => values.len(),
            Self::Text(values) => values.len(),
        }
    }

    /// Each value that is there as bytes in the plain encoding.
    fn plain(&self) -> Vec<Option<Vec<u8>>> {
        fn all<T>(values: &[Option<T>], bytes: impl Fn(&T) -> Vec<u8>) -> Vec<Option<Vec<u8>>> {
            values.iter().map(|value| value.as_ref().map(&bytes)).collect()
        }
        match self {
            Self::Whole(values) => all(values, |value| value.to_le_bytes().to_vec()),
            Self::Decimal(values) => all(values, |value| value.to_le_bytes().to_vec()),
            Self::Text(values) => all(values, |value| {
                let length = u32::try_from(value.len()).unwrap_or(u32::MAX);
                [&length.to_le_bytes()[..], value.as_bytes()].concat()
            }),
        }
    }
}

impl<W: Write> Parquet<W> {
    /// Begins a file with these columns.
    ///
    /// # Errors
    /// Whatever `out` says; so everywhere here.
    pub fn new(out: W, names: Vec<String>) -> io::Result<Self> {
        let mut file = Self { out, written: 0, names, types: Vec::new(), groups: Vec::new() };
        file.put(MARKED.as_bytes())?;
        Ok(file)
    }

    /// Writes a group of rows: the values of each column, all equally many, and in all groups of the same types. At
    /// most 2³¹ − 1 bytes of values in a column.
    pub fn write(&mut self, columns: &[Values]) -> io::Result<()> {
        let rows = columns.first().map_or(0, Values::len);
        let types: Vec<i32> = columns.iter().map(Values::type_number).collect();
        if self.types.is_empty() {
            self.types.clone_from(&types);
        }
        let fits =
            types == self.types && types.len() == self.names.len() && columns.iter().all(|one| one.len() == rows);
        if !fits {
            return Err(io::Error::other("the columns of a group of rows do not fit the table"));
        }
        let chunks = columns.iter().map(|column| self.write_chunk(column)).collect::<io::Result<_>>()?;
        self.groups.push(Group { rows, chunks });
        Ok(())
    }

    /// Writes what says where everything is, with one more thing to know about the table, and gives back what was
    /// written to.
    pub fn finish(mut self, key: &str, value: &str) -> io::Result<W> {
        let footer = self.footer(key, value);
        self.put(&footer)?;
        let length = u32::try_from(footer.len()).map_err(io::Error::other)?;
        self.put(&length.to_le_bytes())?;
        self.put(MAGIC)?;
        Ok(self.out)
    }

    fn write_chunk(&mut self, column: &Values) -> io::Result<Chunk> {
        let values = column.plain();
        let start = self.written;
        let mut places: BTreeMap<&[u8], u32> = BTreeMap::new();
        let there: Vec<&[u8]> = values.iter().flatten().map(Vec::as_slice).collect();
        places.extend(there.iter().map(|value| (*value, 0)));
        places.values_mut().zip(0..).for_each(|(place, number)| *place = number);
        // A dictionary of nearly all values would only be one list more.
        let is_dictionary = !there.is_empty() && places.len() * 2 <= there.len();
        let dictionary = is_dictionary.then_some(start);
        if is_dictionary {
            let body: Vec<u8> = places.keys().copied().collect::<Vec<_>>().concat();
            let mut header = ThriftWriter::page(DICTIONARY_PAGE, body.len())?;
            header.begin(7);
            header.i32(1, i32::try_from(places.len()).map_err(io::Error::other)?);
            header.i32(2, PLAIN);
            self.put(&header.end().end().bytes)?;
            self.put(&body)?;
        }
        let data = self.written;
        let presence: Vec<u32> = values.iter().map(|value| u32::from(value.is_some())).collect();
        let presence = packed(&presence, 1);
        let mut body = u32::try_from(presence.len()).map_err(io::Error::other)?.to_le_bytes().to_vec();
        body.extend(presence);
        if is_dictionary {
            let width = u32::BITS - u32::try_from(places.len().saturating_sub(1)).unwrap_or(u32::MAX).leading_zeros();
            let numbers: Vec<u32> = there.iter().map(|value| places.get(value).copied().unwrap_or(0)).collect();
            body.push(width as u8);
            body.extend(packed(&numbers, width));
        } else {
            body.extend(there.concat());
        }
        let mut header = ThriftWriter::page(DATA_PAGE, body.len())?;
        header.begin(5);
        header.i32(1, i32::try_from(values.len()).map_err(io::Error::other)?);
        header.i32(2, if is_dictionary { RLE_DICTIONARY } else { PLAIN });
        header.i32(3, RLE);
        header.i32(4, RLE);
        self.put(&header.end().end().bytes)?;
        self.put(&body)?;
        Ok(Chunk { dictionary, data, bytes: self.written - start })
    }

    fn footer(&self, key: &str, value: &str) -> Vec<u8> {
        let mut footer = ThriftWriter::default();
        footer.i32(1, 1);
        footer.list(2, ThriftWriter::STRUCT, self.names.len() + 1);
        footer.element();
        footer.text(4, "table");
        footer.i32(5, self.names.len() as i32);
        footer.close();
        // Without a row there is no value that a type could be seen from.
        let types = self.types.iter().copied().chain(std::iter::repeat(2));
        for (name, type_number) in self.names.iter().zip(types) {
            footer.element();
            footer.i32(1, type_number);
            footer.i32(3, OPTIONAL);
            footer.text(4, name);
            if type_number == 6 {
                footer.i32(6, UTF8);
            }
            footer.close();
        }
        footer.i64(3, self.groups.iter().map(|group| group.rows as i64).sum());
        footer.list(4, ThriftWriter::STRUCT, self.groups.len());
        for group in &self.groups {
            footer.element();
            footer.list(1, ThriftWriter::STRUCT, group.chunks.len());
            for (chunk, (name, type_number)) in group.chunks.iter().zip(self.names.iter().zip(&self.types)) {
                footer.element();
                footer.i64(2, chunk.dictionary.unwrap_or(chunk.data) as i64);
                footer.begin(3);
                footer.i32(1, *type_number);
                footer
                    .numbers(2, if chunk.dictionary.is_some() { &[PLAIN, RLE, RLE_DICTIONARY] } else { &[PLAIN, RLE] });
                footer.list(3, ThriftWriter::BINARY, 1);
                footer.string(name);
                footer.i32(4, 0);
                footer.i64(5, group.rows as i64);
                footer.i64(6, chunk.bytes as i64);
                footer.i64(7, chunk.bytes as i64);
                footer.i64(9, chunk.data as i64);
                if let Some(dictionary) = chunk.dictionary {
                    footer.i64(11, dictionary as i64);
                }
                footer.close();
                footer.close();
            }
            footer.i64(2, group.chunks.iter().map(|chunk| chunk.bytes as i64).sum());
            footer.i64(3, group.rows as i64);
            footer.close();
        }
        footer.list(5, ThriftWriter::STRUCT, 1);
        footer.element();
        footer.text(1, key);
        footer.text(2, value);
        footer.close();
        footer.text(6, "houserule");
        footer.end().bytes
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.written += bytes.len() as u64;
        self.out.write_all(bytes)
    }
}

/// Numbers of so many bits, as one run where all are equal and packed otherwise (the hybrid encoding of the format).
fn packed(numbers: &[u32], width: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let first = numbers.first().copied().unwrap_or(0);
    if numbers.iter().all(|number| *number == first) {
        put_varint(&mut bytes, (numbers.len() as u64) << 1);
        bytes.extend(first.to_le_bytes().iter().take(width.div_ceil(8) as usize));
        return bytes;
    }
    put_varint(&mut bytes, (numbers.len().div_ceil(8) as u64) << 1 | 1);
    for eight in numbers.chunks(8) {
        let (mut bits, mut held) = (0u64, 0);
        for number in (0..8).map(|place| eight.get(place).copied().unwrap_or(0)) {
            bits |= u64::from(number) << held;
            held += width;
            while held >= 8 {
                bytes.push(bits as u8);
                bits >>= 8;
                held -= 8;
            }
        }
    }
    bytes
}

fn put_varint(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// A structure in Thrift's compact protocol: each field with its type and how far its number is from the last one's.
#[derive(Default)]
struct ThriftWriter {
    bytes: Vec<u8>,
    last: i16,
    outer: Vec<i16>,
}

impl ThriftWriter {
    const I32: u8 = 5;
    const I64: u8 = 6;
    const BINARY: u8 = 8;
    const LIST: u8 = 9;
    const STRUCT: u8 = 12;

    /// The beginning of the header of a page.
    fn page(kind: i32, bytes: usize) -> io::Result<Self> {
        let bytes = i32::try_from(bytes).map_err(io::Error::other)?;
        let mut header = Self::default();
        header.i32(1, kind);
        header.i32(2, bytes);
        header.i32(3, bytes);
        Ok(header)
    }

    /// Numbers of fields rise by 15 at most here.
    fn field(&mut self, number: i16, kind: u8) {
        self.bytes.push(((number - self.last) as u8) << 4 | kind);
        self.last = number;
    }

    fn i32(&mut self, field: i16, value: i32) {
        self.field(field, Self::I32);
        self.zigzag(i64::from(value));
    }

    fn i64(&mut self, field: i16, value: i64) {
        self.field(field, Self::I64);
        self.zigzag(value);
    }

    fn zigzag(&mut self, value: i64) {
        put_varint(&mut self.bytes, (value << 1 ^ value >> 63) as u64);
    }

    fn text(&mut self, field: i16, text: &str) {
        self.field(field, Self::BINARY);
        self.string(text);
    }

    fn string(&mut self, text: &str) {
        put_varint(&mut self.bytes, text.len() as u64);
        self.bytes.extend(text.as_bytes());
    }

    fn list(&mut self, field: i16, kind: u8, count: usize) {
        self.field(field, Self::LIST);
        if count < 15 {
            self.bytes.push((count as u8) << 4 | kind);
        } else {
            self.bytes.push(0xf0 | kind);
            put_varint(&mut self.bytes, count as u64);
        }
    }

    fn numbers(&mut self, field: i16, numbers: &[i32]) {
        self.list(field, Self::I32, numbers.len());
        numbers.iter().for_each(|number| self.zigzag(i64::from(*number)));
    }

    /// A structure in a field, up to `close`.
    fn begin(&mut self, field: i16) {
        self.field(field, Self::STRUCT);
        self.element();
    }

    /// A structure in a list, up to `close`.
    fn element(&mut self) {
        self.outer.push(std::mem::take(&mut self.last));
    }

    fn close(&mut self) {
        self.bytes.push(0);
        self.last = self.outer.pop().unwrap_or(0);
    }

    fn end(mut self) -> Self {
        self.close();
        self
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// A file that has everything: few and many different values, all the same, gaps, nothing, text, two groups.
    fn file() -> Vec<u8> {
        let names = ["number", "few", "one", "gaps", "none", "share", "word", "long"].map(str::to_owned).to_vec();
        let mut file = Parquet::new(Vec::new(), names).unwrap();
        for (from, to) in [(0i64, 1000i64), (1000, 1013)] {
            let whole = |of: fn(i64) -> Option<i64>| Values::Whole((from..to).map(of).collect());
            let words = ["finished", "failed", "クク", ""];
            let word = |number: i64| Some(words[usize::try_from(number % 4).unwrap()].to_owned());
            let columns = [
                whole(|number| Some(number - 500)),
                whole(|number| Some(number * number % 300)),
                whole(|_| Some(i64::MIN)),
                whole(|number| (number % 3 == 0).then_some(number % 7)),
                whole(|_| None),
                Values::Decimal((from..to).map(|number| (number % 5 > 0).then_some(number as f64 / 8.0)).collect()),
                Values::Text((from..to).map(word).collect()),
                Values::Text((from..to).map(|number| Some(format!("{number}"))).collect()),
            ];
            file.write(&columns).unwrap();
        }
        file.finish("plan", "{\"game\":\"dare\"}").unwrap()
    }

    /// The bytes were read back by Arrow and are pinned since: a change has to be read back again.
    #[test]
    fn files_are_those_that_others_have_read() {
        let file = file();
        assert!(file.starts_with(MARKED.as_bytes()) && file.starts_with(MAGIC) && file.ends_with(MAGIC));
        assert_eq!(
            (file.len(), blake3::hash(&file).to_string()),
            (24846, "511926fccf7cc19c47d3a51f59fd15fd00493fc531e2e40c83c5058a93bed62e".to_owned())
        );
        let empty = Parquet::new(Vec::new(), vec!["a".to_owned()]).unwrap().finish("plan", "").unwrap();
        assert_eq!(
            (empty.len(), blake3::hash(&empty).to_string()),
            (70, "933ffa09d81b8925e41948c8d6b7f365a09be91cfbd7f87fe79506bf5aa0282b".to_owned())
        );
    }

    #[test]
    fn columns_that_do_not_fit_are_refused() {
        let write = |columns: &[Values]| Parquet::new(Vec::new(), vec!["a".to_owned()]).unwrap().write(columns);
        assert!(write(&[Values::Whole(vec![Some(1)])]).is_ok());
        assert!(write(&[]).is_err() && write(&[Values::Whole(vec![]), Values::Whole(vec![])]).is_err());
        let mut file = Parquet::new(Vec::new(), vec!["a".to_owned()]).unwrap();
        file.write(&[Values::Whole(vec![None])]).unwrap();
        assert!(file.write(&[Values::Decimal(vec![None])]).is_err());
    }
}
