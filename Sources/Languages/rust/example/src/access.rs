use pushcrypt::json::Value;
use pushcrypt::Result;

/// The users with their access tokens.
pub struct Users(Vec<(String, String)>);

impl Users {
    /// Parses an object of users by their access tokens.
    pub fn parse(text: &str) -> Result<Users> {
        let object = Value::parse_object(text.as_bytes())?;
        let user = |value: &Value<'_>| value.text().unwrap_or("").to_string();
        Ok(Users(object.members().iter().map(|member| (member.name.to_string(), user(&member.value))).collect()))
    }

    /// Returns the user whose token is in the header `Authorization`.
    pub fn signed_in(&self, authorization: Option<&str>) -> Option<&str> {
        let token = authorization?.strip_prefix("Bearer ")?;
        let mut found = None;
        for (own, user) in &self.0 {
            if is_equal(own.as_bytes(), token.as_bytes()) {
                found = Some(user.as_str());
            }
        }
        found
    }
}

/// Compares all bytes, so that the time doesn't depend on the first difference.
fn is_equal(first: &[u8], second: &[u8]) -> bool {
    let difference = first.iter().zip(second).fold(0, |difference, (first, second)| difference | (first ^ second));
    first.len() == second.len() && difference == 0
}
