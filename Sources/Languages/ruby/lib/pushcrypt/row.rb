# frozen_string_literal: true

module PushCrypt
  # A server's row of a device. Times are milliseconds.
  class Row
    FORMER_PERIOD = 60 * 24 * 3600 * 1000
    FORMER_LIMIT = 64
    private_constant :FORMER_PERIOD, :FORMER_LIMIT

    # The former keys are pairs of a thumbprint and the time of the registration that replaced the key.
    attr_reader :account, :device_token, :registered, :registration, :former_keys

    class << self
      # Returns the row of its text in the database.
      def parse(text)
        node = StrictJSON.parse(text)
        entries = node["formerKeys"] ? node["formerKeys"].value : []
        raise malformed unless entries.is_a?(Array) && node["registration"]

        former_keys = entries.map { |entry| [thumbprint(entry), integer(entry, "replaced")] }
        token = Registration.device_token(string(node, "deviceToken"))
        registration = Registration.parse(node["registration"])
        new(string(node, "account"), token, integer(node, "registered"), registration, former_keys)
      rescue StrictJSON::SyntaxError
        raise malformed
      end

      # Returns the row to store after a registration, or raises an error. Its generation is the answer if it isn't nil.
      #
      # `known` is the row of this token, in lowercase, and account, and `others` are the account's other rows. Keep the known
      # row after an error.
      def accept(text, token, account: "", known: nil, others: [], now: nil)
        token = Registration.device_token(token)
        registration = Registration.parse(text)
        now ||= Process.clock_gettime(Process::CLOCK_REALTIME, :millisecond)
        rows = [known, *others].compact
        unless (known.nil? || known.device_token == token) && rows.all? { |row| row.account == account }
          raise Error.new("malformed-registration", "A row has another token or account. Look it up by both.")
        end

        check(registration, known, current(rows.flat_map(&:former_keys), now))
        former = known ? known.former_keys : others.flat_map(&:former_keys)
        old = known&.recipient
        former = [[old.thumbprint, now], *former] if old && old.public_key != registration.recipient.public_key
        new(account, token, now, registration, current(former, now).first(FORMER_LIMIT))
      end

      private

      def check(registration, known, rejected)
        unless registration.follows?(known&.registration)
          stale = known ? known.registration.generation : 0
          raise Error.new("stale-generation", "The registration doesn't follow generation #{stale}. Register again.", stale)
        end
        return unless rejected.any? { |kid, _| kid == registration.recipient.thumbprint }

        reason = "The key is a former key of the account. Register another key."
        raise Error.new("stale-generation", reason, registration.generation)
      end

      # Returns the former keys of the last 60 days, the newest of each key, the newest first.
      def current(former_keys, now)
        fresh = former_keys.select { |_, replaced| replaced + FORMER_PERIOD > now }
        fresh.sort_by { |kid, replaced| [-replaced, kid] }.uniq(&:first)
      end

      def thumbprint(node)
        kid = string(node, "kid")
        raise malformed unless JWK.thumbprint?(kid)

        kid
      end

      def string(node, name)
        node[name]&.text || raise(malformed)
      end

      def integer(node, name)
        node[name]&.integer(0..MAXIMUM_INTEGER) || raise(malformed)
      end

      def malformed
        Error.new("malformed-registration", "The row isn't valid. Restore it from a backup, or delete it.")
      end
    end

    def initialize(account, device_token, registered, registration, former_keys)
      @account = account
      @device_token = device_token
      @registered = registered
      @registration = registration
      @former_keys = former_keys
    end

    # Returns the device's key, with its lifetime and signers.
    def recipient
      registration.recipient
    end

    # Returns the row's text for the database.
    def json
      key = { crv: "X25519", kid: recipient.thumbprint, kty: "OKP", use: "enc", x: JWK.base64(recipient.public_key) }
      row = { account: account, deviceToken: device_token }
      row[:formerKeys] = former_keys.map { |kid, replaced| { kid: kid, replaced: replaced } } unless former_keys.empty?
      row[:registered] = registered
      row[:registration] = {
        created: registration.created, generation: registration.generation, key: key, lifetime: registration.lifetime
      }
      row[:registration][:signers] = recipient.signers if recipient.signers
      JSON.generate(row)
    end
  end
end
