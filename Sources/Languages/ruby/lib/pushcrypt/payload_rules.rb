# frozen_string_literal: true

module PushCrypt
  # The rules of an original payload.
  module PayloadRules
    WITHDRAWAL = 8
    # Kind, and APNs' limit in bytes. Live Activities aren't implemented.
    PUSH_TYPES = {
      "alert" => [1, 4096], "background" => [2, 4096], "voip" => [3, 5120], "location" => [6, 4096],
      "pushtotalk" => [7, 4096]
    }.freeze
    EXPOSABLE_KEYS = %w[
      category thread-id sound badge interruption-level relevance-score target-content-id filter-criteria content-available
      alert
    ].freeze
    # The members that the extension writes.
    RESERVED_NAMES = %w[pushcrypt.receipt pushcrypt.added].freeze
    TEXTS = %w[title subtitle body title-loc-key subtitle-loc-key loc-key].freeze

    module_function

    # Checks the rules of the push type. Returns the kind.
    def check(original, length, type)
      kind, = PUSH_TYPES.fetch(type) do
        raise Error.new("not-sealable", "The push type can't be sealed. Use one of: #{PUSH_TYPES.keys.join(', ')}.")
      end
      raise Error.new("payload-too-large", "The payload is longer than 65,535 bytes. Shorten it.") if length > 65_535
      if original["ENCRYPTED_DATA"]
        raise Error.new("already-sealed", "The payload has ENCRYPTED_DATA. Seal the original.")
      end
      reserved = RESERVED_NAMES.find { |name| original[name] }
      invalid("\"#{reserved}\" is reserved for the device. Rename the member.") if reserved

      aps = original["aps"]
      invalid("aps isn't an object. Use an object.") unless aps.nil? || aps.value.is_a?(Hash)
      check_background(aps) if type == "background"
      type == "alert" ? check_alert_push(original, aps) : kind
    end

    # Returns the collapse id of a withdrawal with one, or nil.
    def only_collapse_id(original)
      ids = original["collapse-ids"]&.value || []
      ids[0].value if ids.size == 1
    end

    # Returns the JSON of exposed members, each after a comma.
    def exposed(aps, names)
      members = (EXPOSABLE_KEYS & names).map { |name| [name, aps && aps[name]] }.select(&:last)
      members.map { |name, node| ",\"#{name}\":".b + (name == "sound" ? sound(node) : simple(node, "aps.#{name}")) }.join
    end

    def sound(node)
      return simple(node, "aps.sound") unless node.value.is_a?(Hash)

      members = %w[critical name volume].select { |name| node[name] }
      parts = members.map { |name| "\"#{name}\":".b + simple(node[name], "aps.sound.#{name}") }
      "{".b + parts.join(",") + "}"
    end

    def simple(node, location)
      return node.compact unless node.value.is_a?(Hash) || node.value.is_a?(Array)

      invalid("The exposed member #{location} is an object or array. Use a simple value.")
    end

    def check_alert_push(original, aps)
      names = original.value.keys
      is_withdrawal = (names & %w[collapse-ids thread-ids]).any? && (names - %w[collapse-ids thread-ids aps]).empty?
      check_withdrawal(original) if is_withdrawal
      invalid("aps is missing. Add aps with an alert.") unless aps || is_withdrawal
      if text(aps && aps["alert"]).empty? && !is_withdrawal
        raise Error.new("no-alert-text", "aps.alert has no text. Add a title, a subtitle or a body.")
      end
      is_withdrawal ? WITHDRAWAL : 1
    end

    def text(alert)
      value = alert&.value
      if value.is_a?(Hash)
        texts = TEXTS.map { |name| value[name]&.value }
        invalid("A text of aps.alert isn't a string. Use a string.") unless texts.all? { |text| string_or_nil?(text) }
        return texts.join
      end
      invalid("aps.alert isn't a string or an object. Use one of them.") unless string_or_nil?(value)
      value || ""
    end

    def string_or_nil?(value)
      value.nil? || value.is_a?(String)
    end

    def check_background(aps)
      available = aps && aps["content-available"]&.value
      is_one = available.is_a?(StrictJSON::Number) && available.digits.to_f == 1
      unless available == true || is_one
        invalid("aps.content-available isn't 1. Add it to a background push.")
      end
      return if %w[alert badge sound].all? { |name| aps[name].nil? || aps[name].value.nil? }

      invalid("A background push has an alert, badge or sound. Remove it, or send an alert.")
    end

    def check_withdrawal(original)
      ids = { "collapse-ids" => /\A[!-~]{1,64}\z/, "thread-ids" => /./m }.flat_map do |name, pattern|
        list = original[name] ? original[name].value : []
        unless list.is_a?(Array) && list.all? { |id| id.text&.match?(pattern) }
          invalid("#{name} isn't an array of strings, or an id isn't valid. Use 64 visible ASCII characters.")
        end
        list
      end
      return if ids.size.between?(1, 100)

      invalid("The withdrawal doesn't have 1 to 100 ids. Add an id, or seal several withdrawals.")
    end

    def invalid(reason)
      raise Error.new("invalid-payload", reason)
    end
  end
end
