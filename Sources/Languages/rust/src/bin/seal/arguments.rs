use pushcrypt::{Carrier, Options, Placeholder, MAXIMUM_LIFETIME};

/// The parsed command line.
#[derive(Default)]
pub struct Setting {
    pub options: Options,
    pub keyring: Option<String>,
    pub payload: Option<String>,
    pub app_id: Option<String>,
    is_anonymous: bool,
}

pub enum Parsed {
    Help,
    Setting(Box<Setting>),
}

/// Parses the arguments, or returns `None` if one isn't valid.
pub fn parse(words: &[String]) -> Option<Parsed> {
    let mut setting = Setting::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--help" | "-h" => return Some(Parsed::Help),
            "--anonymous" => {
                setting.is_anonymous = true;
                continue;
            }
            _ => (),
        }
        let (name, value) = match word.split_once('=') {
            Some(pair) => pair,
            // A value that begins with a hyphen needs an equals sign.
            None => (word.as_str(), words.next().filter(|value| value.len() < 2 || !value.starts_with('-'))?.as_str()),
        };
        if value.is_empty() && name != "--expose" {
            return None;
        }
        setting.set(name, value)?;
    }
    let is_onesignal = setting.options.carrier.name() == "onesignal";
    let is_valid = setting.is_anonymous == setting.keyring.is_none() && setting.app_id.is_some() == is_onesignal;
    is_valid.then(|| Parsed::Setting(Box::new(setting)))
}

impl Setting {
    fn set(&mut self, name: &str, value: &str) -> Option<()> {
        let owned = || Some(value.to_string());
        match name {
            "--sign-with" => self.keyring = owned(),
            "--payload" => self.payload = owned(),
            "--type" => self.options.push_type = value.parse().ok()?,
            "--lifetime" => self.options.lifetime = seconds(value)?,
            "--padding" => self.options.padding = value.parse().ok()?,
            "--expose" => {
                for name in value.split(',').filter(|name| !name.is_empty()) {
                    self.options.expose.push(name.parse().ok()?);
                }
            }
            "--placeholder-body" => self.options.placeholder = Placeholder::with_body(value),
            "--topic" if is_visible(value) => self.options.topic = owned(),
            "--carrier" => {
                self.options.carrier = Carrier::named(value.to_string());
                return self.options.carrier.is_known().then_some(());
            }
            "--app-id" if is_visible(value) => self.app_id = owned(),
            _ => return None,
        }
        Some(())
    }
}

fn is_visible(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_graphic())
}

/// Parses a lifetime such as 90s, 15m, 12h or 7d.
pub fn seconds(text: &str) -> Option<u32> {
    let digits = text.strip_suffix(|unit| matches!(unit, 's' | 'm' | 'h' | 'd'))?;
    let unit = match text.as_bytes().last()? {
        b's' => 1,
        b'm' => 60,
        b'h' => 3_600,
        _ => 86_400,
    };
    let is_number = digits.len() <= 9 && digits.bytes().all(|byte| byte.is_ascii_digit());
    let count: u32 = digits.parse().ok().filter(|_| is_number)?;
    count.checked_mul(unit).filter(|lifetime| (1..=MAXIMUM_LIFETIME).contains(lifetime))
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn lifetimes_have_a_unit() {
        for (text, wanted) in [("90s", 90), ("15m", 900), ("12h", 43_200), ("30d", 2_592_000), ("000000060s", 60)] {
            assert_eq!(seconds(text), Some(wanted), "{text}");
        }
        for text in ["", "s", "7", "0s", "31d", "+7d", "-7d", "7 d", "7d\n", "1w", "2592001s", "0000000060s", "４s"] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }
}
