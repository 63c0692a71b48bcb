use super::{array, bytes, Answer, Request};
use crate::error::Result;
use crate::json::quote;
use crate::proofs::{answer_challenge, Challenges, Device};
use crate::registration::Registration;
use crate::row::Row;
use crate::signer_lists::SignerRoots;
use crate::update::{Proof, RegistrationRequest};
use crate::{Carrier, VerificationKey};

impl Request<'_> {
    pub(super) fn carrier(&self) -> Carrier {
        Carrier::named(self.text("carrier").to_string())
    }

    fn device(&self) -> Device {
        let (token, account) = (self.text("token").to_string(), self.text("account").to_string());
        Device { token, account, carrier: self.carrier() }
    }

    fn challenges(&self) -> Result<Challenges> {
        let mut secrets = self.texts("secrets");
        if secrets.is_empty() {
            secrets = vec![self.text("secret").to_string(), self.text("previous").to_string()];
        }
        let challenges = Challenges::new(self.text("topic"), &bytes::<32>(&secrets[0])?)?;
        secrets[1..].iter().try_fold(challenges, |challenges, secret| challenges.with_previous(&bytes::<32>(secret)?))
    }

    pub(super) fn registration(&self) -> Result<Answer> {
        let registration = Registration::parse(self.text("text").as_bytes())?;
        let signers = registration.signers.map_or_else(|| "null".to_string(), array);
        let (generation, lifetime) = (registration.generation.to_string(), registration.lifetime.to_string());
        Ok(vec![("generation", generation), ("lifetime", lifetime), ("signers", signers)])
    }

    pub(super) fn challenge(&self) -> Result<Answer> {
        let (challenges, device) = (self.challenges()?, self.device());
        let (registration, expires) = (self.text("registration").as_bytes(), self.required_integer("expires")?);
        let silent = challenges.issue(registration, &device, expires, None)?;
        let visible = challenges.issue(registration, &device, expires, Some(self.text("aps").as_bytes()))?;
        Ok(vec![("payload", quote(&silent)), ("visible", quote(&visible))])
    }

    pub(super) fn proof(&self) -> Result<Answer> {
        let payload = self.text("payload").as_bytes();
        let answer = answer_challenge(payload, self.text("registration"), &self.device())?;
        Ok(vec![("answer", quote(&answer))])
    }

    pub(super) fn verify(&self) -> Result<Answer> {
        let (body, now) = (self.text("body").as_bytes(), self.required_integer("now_ms")?);
        let text = self.challenges()?.verify(body, &self.device(), now)?;
        let registration = Registration::parse(text.as_bytes())?;
        let kid = quote(&registration.key.thumbprint());
        Ok(vec![("generation", registration.generation.to_string()), ("kid", kid)])
    }

    pub(super) fn row(&self) -> Result<Option<Row>> {
        self.optional("row").map(|text| Row::parse(text.as_bytes())).transpose()
    }

    pub(super) fn update(&self) -> Result<Answer> {
        let known = self.row()?;
        let others: Vec<Row> =
            self.texts("others").iter().map(|text| Row::parse(text.as_bytes())).collect::<Result<_>>()?;
        let carrier = if self.text("do") == "row" { self.carrier() } else { Carrier::default() };
        let proof = match (self.is_true("proved"), self.is_true("proofs")) {
            (true, _) => Proof::Verified,
            (false, true) => Proof::Missing,
            (false, false) => Proof::Off,
        };
        let request = RegistrationRequest {
            now_ms: self.required_integer("now_ms")?,
            known: known.as_ref(),
            others: &others,
            carrier,
            proof,
            ..RegistrationRequest::new(self.text("text").as_bytes(), self.text("token"), self.text("account"))?
        };
        Ok(match request.accept()? {
            Some(row) => vec![("row", quote(&row.to_json()?))],
            None => vec![("challenge", "true".to_string())],
        })
    }

    fn roots(&self) -> Result<SignerRoots> {
        let keys = self.items("roots").iter().map(|jwk| VerificationKey::parse(jwk.raw.as_bytes()));
        Ok(SignerRoots { keys: keys.collect::<Result<_>>()?, audience: self.optional("audience").map(str::to_string) })
    }

    pub(super) fn signer_list(&self) -> Result<Answer> {
        let roots = self.roots()?;
        let stored: Vec<String> = self.optional("stored").map(str::to_string).into_iter().collect();
        let texts = roots.stored_with(self.text("text"), &stored, self.required_integer("now_ms")?)?;
        let outcome = if texts == stored { "unchanged" } else { "accepted" };
        let list = roots.verify(self.text("text"))?;
        let kids = array(list.keys.iter().map(VerificationKey::thumbprint));
        Ok(vec![("outcome", quote(outcome)), ("number", list.number.to_string()), ("kids", kids)])
    }

    pub(super) fn accepted_keys(&self) -> Result<Answer> {
        let keys = self.roots()?.accepted_keys(&self.texts("stored"))?;
        Ok(vec![("kids", array(keys.iter().map(VerificationKey::thumbprint)))])
    }
}
