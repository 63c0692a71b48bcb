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
    /// The token is the carrier's own. For APNs, the token is in the URL. Only OneSignal requires the app's id.
    pub fn request(&self, token: &str, app_id: Option<&str>) -> Result<CarrierRequest> {
        let reason = "The device token isn't visible ASCII. Give it as it was issued.";
        check(is_visible(token), "invalid-header", reason)?;
        let content = Content::new(self)?;
        Ok(json_request(match self.carrier.name() {
            "apns" => return Ok(CarrierRequest { body: self.payload.clone(), headers: self.headers.clone() }),
            "firebase" => content.firebase(token),
            "firebase-android" => content.firebase_android(token),
            "expo" => content.expo(token),
            "onesignal" => content.one_signal(token, app_id)?,
            _ => {
                let reason = "The carrier's request isn't known. Send the payload to it yourself.";
                return Err(Error::new("not-sealable", reason));
            }
        }))
    }
}
