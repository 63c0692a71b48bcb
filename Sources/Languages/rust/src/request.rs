use crate::content::Content;
use crate::error::{check, Error, Result};
use crate::seal::Push;
use crate::text::is_visible;

/// The request to a carrier. The URL and your credentials aren't part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CarrierRequest {
    /// The body.
    pub body: String,
    /// The headers, by their names.
    pub headers: Vec<(String, String)>,
}

fn json_request(body: String) -> CarrierRequest {
    CarrierRequest { body, headers: vec![("Content-Type".to_string(), "application/json".to_string())] }
}

impl Push {
    /// Returns the request that hands a push to its carrier.
    ///
    /// The token is the carrier's own: an APNs token for Azure, and the ARN of the endpoint for Amazon SNS.
    /// For APNs, the token is in the URL. Only OneSignal requires the app's id.
    pub fn request(&self, token: &str, app_id: Option<&str>) -> Result<CarrierRequest> {
        let reason = "The device token isn't visible ASCII. Give it as it was issued.";
        check(is_visible(token), "invalid-header", reason)?;
        let content = Content::new(self)?;
        Ok(json_request(match self.carrier.name() {
            "apns" => return Ok(CarrierRequest { body: self.payload.clone(), headers: self.headers.clone() }),
            "azure" => {
                let headers = self.azure_headers(token, content.expiration)?;
                return Ok(CarrierRequest { body: self.payload.clone(), headers });
            }
            "firebase" => content.firebase(token),
            "firebase-android" => content.firebase_android(token),
            "expo" => content.expo(token),
            "onesignal" => content.one_signal(token, app_id)?,
            "sns" => content.sns(token)?,
            _ => {
                let reason = "The carrier's request isn't known. Send the payload to it yourself.";
                return Err(Error::new("not-sealable", reason));
            }
        }))
    }

    fn azure_headers(&self, token: &str, expiration: Option<u64>) -> Result<Vec<(String, String)>> {
        let reason = "Azure has no header for one attempt. Use a push that can wait.";
        check(expiration != Some(0), "invalid-header", reason)?;
        let mut headers = vec![
            ("Content-Type".to_string(), "application/json;charset=utf-8".to_string()),
            ("ServiceBusNotification-Format".to_string(), "apple".to_string()),
            ("ServiceBusNotification-DeviceHandle".to_string(), token.to_string()),
        ];
        let is_kept = |name: &str| name != "apns-expiration" && name != "apns-id";
        headers.extend(self.headers.iter().filter(|(name, _)| is_kept(name)).cloned());
        headers.extend(expiration.map(|end| ("ServiceBusNotification-Apns-Expiry".to_string(), date(end))));
        Ok(headers)
    }
}

/// Returns seconds since 1970-01-01 UTC as a date of RFC 3339, by the calendar of Gregor.
fn date(seconds: u64) -> String {
    let (day, time) = (seconds / 86_400, seconds % 86_400);
    // Days since 0000-03-01, so that a leap day is the last of its year.
    let days = day + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = 400 * era + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (time / 3_600, time / 60 % 60, time % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn dates_have_leap_days() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_800, "2000-03-01T00:00:00Z"),
            (1_709_210_096, "2024-02-29T12:34:56Z"),
            (1_767_225_599, "2025-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(date(seconds), text);
        }
    }
}
