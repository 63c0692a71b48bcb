# frozen_string_literal: true

module PushCrypt
  # A server's row of a device. Times are milliseconds. A row of a newer version is read, and never replaced: the error is
  # newer-format.
  class Row
    FORMER_PERIOD = 60 * 24 * 3600 * 1000
    FORMER_LIMIT = 64
    KNOWN = {
      row: %w[account carrier deviceToken formerKeys proved registered registration],
      registration: %w[created generation key lifetime signers],
      key: %w[crv kid kty use x],
      former_key: %w[kid replaced]
    }.freeze
    private_constant :FORMER_PERIOD, :FORMER_LIMIT, :KNOWN

    # The former keys are pairs of a thumbprint and the time of the registration that replaced the key.
    attr_reader :account, :device_token, :registered, :registration, :former_keys
    # The time of the proof of possession that another language has stored or nil, and the service that delivers the pushes.
    attr_reader :proved, :carrier

    class << self
      # Returns the row of its text in the database.
      def parse(text)
        node = StrictJSON.parse(text)
        entries = node["formerKeys"] ? node["formerKeys"].value : []
        raise malformed unless entries.is_a?(Array) && node["registration"]

        former_keys = entries.map { |entry| [thumbprint(entry), integer(entry, "replaced")] }
        carrier = node["carrier"] ? string(node, "carrier") : "apns"
        token = Registration.stored_token(string(node, "deviceToken"), carrier)
        registration = Registration.parse(node["registration"])
        proved = node["proved"] && integer(node, "proved")
        new(string(node, "account"), token, integer(node, "registered"), registration, former_keys, proved, carrier,
            is_newer: newer?(node))
      rescue StrictJSON::SyntaxError
        raise malformed
      end

      # Returns the row to store after a registration, or raises an error. Its generation is the answer if it isn't nil.
      #
      # `known` is the row of this token, in lowercase, and account, and `others` are the account's other rows. Keep the known
      # row after an error.
      def accept(text, token, account: "", known: nil, others: [], now: nil, carrier: "apns")
        token = Registration.stored_token(token, carrier)
        registration = Registration.parse(text)
        now ||= Process.clock_gettime(Process::CLOCK_REALTIME, :millisecond)
        rows = [known, *others].compact
        check_place(rows, known, [token, carrier, account])
        known&.check_version
        proof = known&.proved if known&.registration&.members == registration.members
        check(registration, known, current(rows.flat_map(&:former_keys), now))
        former = former_keys(registration, known, others, now)
        new(account, token, now, registration, current(former, now).first(FORMER_LIMIT), proof, carrier)
      end

      private

      # Returns whether a row has another version, or a member that this version doesn't know.
      def newer?(row)
        names = row.value.keys
        names -= ["version"] if row["version"]&.integer(1..1)
        registration = row["registration"].value
        objects = [[registration.keys, :registration], [registration["key"].value.keys, :key]]
        objects += (row["formerKeys"]&.value || []).map { |entry| [entry.value.keys, :former_key] }
        [[names, :row], *objects].any? { |keys, kind| (keys - KNOWN[kind]).any? }
      end

      def check_place(rows, known, place)
        is_known = known.nil? || [known.device_token, known.carrier] == place.first(2)
        return if is_known && rows.all? { |row| row.account == place.last }

        raise Error.new("malformed-registration", "A row has another token or account. Look it up by both.")
      end

      # Returns the former keys of the new row.
      def former_keys(registration, known, others, now)
        return others.flat_map(&:former_keys) unless known

        return known.former_keys if known.recipient.public_key == registration.recipient.public_key

        [[known.recipient.thumbprint, now], *known.former_keys]
      end

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

    def initialize(account, device_token, registered, registration, former_keys, proved = nil, carrier = "apns",
                   is_newer: false)
      @is_newer = is_newer
      @account = account
      @device_token = device_token
      @registered = registered
      @registration = registration
      @former_keys = former_keys
      @proved = proved
      @carrier = carrier
    end

    # Raises newer-format if a newer version has written the row.
    def check_version
      return unless @is_newer

      reason = "A newer version of PushCrypt has written the row, so it isn't changed. Update this program."
      raise Error.new("newer-format", reason)
    end

    # Returns the device's key, with its lifetime and signers.
    def recipient
      registration.recipient
    end

    # Returns the row's text for the database.
    def json
      check_version
      key = { crv: "X25519", kid: recipient.thumbprint, kty: "OKP", use: "enc", x: JWK.base64(recipient.public_key) }
      row = { account: account, deviceToken: device_token }
      row[:formerKeys] = former_keys.map { |kid, replaced| { kid: kid, replaced: replaced } } unless former_keys.empty?
      row[:registered] = registered
      row[:registration] = {
        created: registration.created, generation: registration.generation, key: key, lifetime: registration.lifetime
      }
      row[:registration][:signers] = recipient.signers if recipient.signers
      row[:proved] = proved if proved
      row[:carrier] = carrier unless carrier == "apns"
      JSON.generate(row)
    end
  end
end
