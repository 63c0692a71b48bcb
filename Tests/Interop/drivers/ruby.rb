# frozen_string_literal: true

# Answers requests of Tests/Interop/run with the Ruby library in the directory that is the argument.

require "json"
require "pp"
require_relative "#{File.expand_path(ARGV[0])}/lib/pushcrypt"

def decode(text)
  text.tr("-_", "+/").unpack1("m")
end

# Time, message id and ephemeral key come from the request.
module Fixed
  class << self
    attr_accessor :now, :message_id, :secret
  end

  BOX = lambda do |message, public_key|
    ephemeral = RbNaCl::PrivateKey.new(Fixed.secret)
    nonce = RbNaCl::Hash.blake2b(ephemeral.public_key.to_bytes + public_key, digest_size: 24)
    ephemeral.public_key.to_bytes + RbNaCl::Box.new(public_key, ephemeral).box(nonce, message)
  end
end

Process.define_singleton_method(:clock_gettime) { |*| Fixed.now }
RbNaCl::Random.define_singleton_method(:random_bytes) { |count = 32| Fixed.message_id.byteslice(0, count) }
PushCrypt::Sealer.send(:remove_const, :SEALED_BOX)
PushCrypt::Sealer.const_set(:SEALED_BOX, Fixed::BOX)

def sealer(request)
  settings = %w[padding placeholder expose carrier].select { |name| request.key?(name) }.to_h { |name| [name.to_sym, request[name]] }
  settings[:proofs_since] = request["proofs_since_ms"]
  return PushCrypt::Sealer.anonymous(**settings) unless request["sender"]

  PushCrypt::Sealer.signed(PushCrypt::SigningKey.parse(JSON.generate(request["sender"])), **settings)
end

def seal(request)
  Fixed.now = request["now_ms"]
  Fixed.message_id = decode(request["message_ids"][0])
  Fixed.secret = decode(request["ephemeral_secrets"][0])
  names = { "type" => :type, "kind" => :kind, "lifetime_s" => :lifetime, "topic" => :topic, "collapse_id" => :collapse_id,
            "priority" => :priority }
  options = names.select { |name, _| request.key?(name) }.to_h { |name, keyword| [keyword, request[name]] }
  push = sealer(request).seal(request["payload"], request["to"], **options)
  { payload: push.payload, headers: push.headers }
end

def answered(push, request)
  result = push.request(request["token"], app_id: request["app_id"])
  { body: result.body, headers: result.headers }
end

def carrier_request(request)
  answered(PushCrypt::Push.new(*request.values_at("payload", "apns_headers", "carrier", "issued_at_ms")), request)
end

def limit(request)
  carrier, type, frame = request.values_at("carrier", "type", "frame")
  PushCrypt::Carriers.check_type(carrier, type)
  sealer = PushCrypt::Sealer.anonymous(padding: "maximum")
  { longest: sealer.send(:message_length, 0, PushCrypt::Carriers.room(carrier, type, frame)) }
end

def carrier_seal(request)
  Fixed.now = (Time.now.to_f * 1000).to_i
  Fixed.message_id = "\0".b * 16
  Fixed.secret = "\x01".b * 32
  names = { "type" => :type, "topic" => :topic, "collapse_id" => :collapse_id, "priority" => :priority }
  options = names.select { |name, _| request.key?(name) }.to_h { |name, keyword| [keyword, request[name]] }
  to = request["row"] ? PushCrypt::Row.parse(request["row"]) : request["to"]
  push = sealer(request).seal(request["payload"], to, **options)
  { payload: push.payload, apns_headers: push.headers, issued_at_ms: push.issued_at, **answered(push, request) }
end

def limits(registration)
  { generation: registration.generation, lifetime: registration.lifetime, signers: registration.recipient.signers }
end

def signer_roots(request)
  roots = request["roots"].map { |jwk| PushCrypt::VerificationKey.parse(JSON.generate(jwk)) }
  PushCrypt::SignerRoots.new(roots, request["audience"])
end

def signer_list(request)
  roots = signer_roots(request)
  stored = [request["stored"]].compact
  is_same = roots.stored_with(request["text"], stored, now: request["now_ms"]) == stored
  list = PushCrypt::SignerList.verify(request["text"], roots.roots)
  { outcome: is_same ? "unchanged" : "accepted", number: list.number, kids: list.keys.map(&:thumbprint) }
end

def challenges(request)
  secrets = request["secrets"] || request.values_at("secret", "previous")
  PushCrypt::Challenges.new(request["topic"], *secrets.map { |secret| decode(secret) })
end

def challenge(request)
  options = { account: request["account"], carrier: request["carrier"], expires: request["expires"] }
  issue = ->(aps) { challenges(request).issue(request["registration"], request["token"], aps: aps, **options) }
  { payload: issue.call(nil), visible: issue.call(request["aps"]) }
end

def verify(request)
  options = { account: request["account"], carrier: request["carrier"], now: request["now_ms"] }
  registration = PushCrypt::Registration.parse(challenges(request).verify(request["body"], request["token"], **options))
  { generation: registration.generation, kid: registration.recipient.thumbprint }
end

def accept(request)
  known = request["row"] && PushCrypt::Row.parse(request["row"])
  others = request["others"].map { |text| PushCrypt::Row.parse(text) }
  proofs = request["do"] == "row" ? { carrier: request["carrier"] } : {}
  proofs[:proved] = request["proved"] if request["proofs"] || request["proved"]
  row = PushCrypt::Row.accept(request["text"], request["token"], account: request["account"], known: known, others: others,
                              now: request["now_ms"], **proofs)
  row ? { row: row.json } : { challenge: true }
end

def refusal(request)
  Fixed.now = request["now_ms"]
  Fixed.message_id = "\0".b * 16
  Fixed.secret = "\x01".b * 32
  row = PushCrypt::Row.parse(request["row"])
  sealer = PushCrypt::Sealer.anonymous(proofs_since: request["proofs_since_ms"], carrier: row.carrier)
  sealer.seal(request["payload"], row, kind: request["kind"])
  { refused: false }
end

def answer(request)
  case request["do"]
  when "key"
    types = { "recipient-public" => PushCrypt::Recipient, "signing" => PushCrypt::SigningKey,
              "verification" => PushCrypt::VerificationKey }
    key = types.fetch(request["kind"]).parse(request["text"])
    { thumbprint: key.thumbprint, key_id: PushCrypt::JWK.base64(key.key_id) }
  when "apns-id" then { apns_id: PushCrypt::Sealer.apns_id(decode(request["message_id"])) }
  when "keyring" then { thumbprint: PushCrypt::SigningKeyring.read(request["text"]).key_for(nil).thumbprint }
  when "print"
    key = PushCrypt::SigningKey.parse(request["text"])
    values = [key, PushCrypt::Sealer.signed(key), [key]]
    { texts: values.flat_map { |value| [value.to_s, value.inspect, value.pretty_inspect] } }
  when "registration" then limits(PushCrypt::Registration.parse(request["text"]))
  when "token" then { stored: PushCrypt::Registration.device_token(request["text"]) }
  when "update", "row" then accept(request)
  when "challenge" then challenge(request)
  when "answer" then verify(request)
  when "refusal" then refusal(request)
  when "request" then carrier_request(request)
  when "limit" then limit(request)
  when "carrier-seal" then carrier_seal(request)
  when "signer-list" then signer_list(request)
  when "accepted-keys" then { kids: signer_roots(request).accepted_keys(request["stored"]).map(&:thumbprint) }
  when "choice"
    { kid: PushCrypt::SigningKeyring.parse(request["keyring"]).key_for(request["signers"]).thumbprint }
  when "pad"
    { padded: [sealer(request).send(:message_length, request["lengths"][0], request["maximum"] - request["frame"])] }
  when "seal" then seal(request)
  end
rescue PushCrypt::Error => error
  { fails: error.code, generation: error.generation, reason: request["reason"] && error.message }.compact
end

$stdout.sync = true
$stdin.each_line { |line| puts JSON.generate(answer(JSON.parse(line))) }
