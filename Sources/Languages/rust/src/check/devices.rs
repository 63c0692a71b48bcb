use super::{array, Answer, Request};
use crate::error::Result;
use crate::json::quote;
use crate::registration::Registration;
use crate::row::Row;
use crate::update::RegistrationRequest;
use crate::Carrier;

impl Request<'_> {
    /// Returns the carrier, which is APNs if the request has none.
    pub(super) fn carrier(&self) -> Carrier {
        self.optional("carrier").map_or_else(Carrier::default, |name| Carrier::named(name.to_string()))
    }

    pub(super) fn registration(&self) -> Result<Answer> {
        let registration = Registration::parse(self.text("text").as_bytes())?;
        let signers = registration.signers.map_or_else(|| "null".to_string(), array);
        let (generation, lifetime) = (registration.generation.to_string(), registration.lifetime.to_string());
        Ok(vec![("generation", generation), ("lifetime", lifetime), ("signers", signers)])
    }

    pub(super) fn row(&self) -> Result<Option<Row>> {
        self.optional("row").map(|text| Row::parse(text.as_bytes())).transpose()
    }

    pub(super) fn update(&self) -> Result<Answer> {
        let known = self.row()?;
        let others: Vec<Row> =
            self.texts("others").iter().map(|text| Row::parse(text.as_bytes())).collect::<Result<_>>()?;
        let request = RegistrationRequest {
            now_ms: self.required_integer("now_ms")?,
            known: known.as_ref(),
            others: &others,
            carrier: self.carrier(),
            ..RegistrationRequest::new(self.text("text").as_bytes(), self.text("token"), self.text("account"))?
        };
        Ok(vec![("row", quote(&request.accept()?.to_json()?))])
    }
}
