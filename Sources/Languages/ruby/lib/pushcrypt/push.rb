# frozen_string_literal: true

require "json"

module PushCrypt
  # A sealed payload, the headers of the request to APNs, the carrier, and the time of issue in milliseconds.
  Push = Struct.new(:payload, :headers, :carrier, :issued_at) do
    # Returns the request that hands the push to its carrier. The URL and your credentials aren't part of it.
    #
    # The token is the carrier's own. For APNs, it is in the URL. Only OneSignal requires the app's id.
    def request(token, app_id: nil)
      CarrierContent.new(self).request(token, app_id)
    end
  end

  # The request to a carrier: its body, and its headers.
  CarrierRequest = Struct.new(:body, :headers)

  # The parts of a sealed push as JSON texts, and the requests with them. A part is nil if it is missing.
  class CarrierContent
    # The longest time in seconds for which Firebase keeps a push for Android, and OneSignal each push.
    FOUR_WEEKS = 28 * 24 * 3600
    # Without apns-id, which only APNs gets.
    FIREBASE_HEADERS = %w[apns-collapse-id apns-expiration apns-priority apns-push-type apns-topic].freeze
    LINES = %w[title subtitle body].freeze
    EXPO_VALUES = {
      "badge" => "badge", "sound" => "sound", "categoryId" => "category", "interruptionLevel" => "interruption-level"
    }.freeze
    ONESIGNAL_VALUES = {
      "ios_sound" => "sound", "ios_category" => "category", "thread_id" => "thread-id",
      "ios_relevance_score" => "relevance-score", "target_content_identifier" => "target-content-id"
    }.freeze
    # OneSignal's name of an interruption level.
    LEVELS = { "time-sensitive" => "time_sensitive" }.freeze
    private_constant :LEVELS, :FOUR_WEEKS, :FIREBASE_HEADERS, :LINES, :EXPO_VALUES, :ONESIGNAL_VALUES

    def initialize(push)
      @push = push
      root = StrictJSON.parse(push.payload)
      @aps = root["aps"]
      @data = object("ENCRYPTED_DATA" => source(root["ENCRYPTED_DATA"]))
      @expiration = push.headers["apns-expiration"]&.to_i # seconds
      @time_to_live = @expiration # seconds from the time of issue
      @time_to_live = [@expiration * 1000 - push.issued_at, 0].max / 1000 if @expiration&.positive?
    end

    # Returns the request for a token of the push's carrier.
    def request(token, app_id)
      unless token.b.match?(/\A[!-~]+\z/n)
        raise Error.new("invalid-header", "The device token isn't visible ASCII. Give it as the carrier issued it.")
      end

      case @push.carrier
      when "apns" then CarrierRequest.new(@push.payload, @push.headers)
      else CarrierRequest.new(object(members(token, app_id)), { "Content-Type" => "application/json" })
      end
    end

    private

    def members(token, app_id)
      case @push.carrier
      when "firebase" then firebase(token)
      when "firebase-android" then firebase_android(token)
      when "expo" then expo(token)
      when "onesignal" then onesignal(token, app_id)
      else raise Error.new("not-sealable", "The carrier's request isn't known. Send the payload to it yourself.")
      end
    end

    # Returns an object in JSON with members in JSON, without those that are nil.
    def object(members)
      "{#{members.compact.map { |name, value| "#{text(name)}:#{value}" }.join(',')}}"
    end

    def text(text)
      text && JSON.generate(text.dup.force_encoding(Encoding::UTF_8))
    end

    # Returns the bytes of a value as text.
    def source(node)
      node && node.source.dup.force_encoding(Encoding::UTF_8)
    end

    def header(name)
      text(@push.headers[name])
    end

    def aps(key)
      @aps && @aps[key]
    end

    def line(name)
      alert = aps("alert")
      source(alert[name]) if alert
    end

    def flag(key)
      "true" if aps(key)
    end

    # Returns values of aps under other names.
    def values(names)
      names.transform_values { |key| source(aps(key)) }
    end

    def urgency
      @push.headers["apns-priority"] == "10" ? '"high"' : '"normal"'
    end

    # Returns the time to live, at most four weeks.
    def weeks
      @time_to_live && [@time_to_live, FOUR_WEEKS].min
    end

    def firebase(token)
      headers = object(FIREBASE_HEADERS.to_h { |name| [name, header(name)] })
      apns = object("headers" => headers, "payload" => @push.payload)
      { "message" => object("token" => text(token), "apns" => apns) }
    end

    def firebase_android(token)
      android = object("priority" => urgency, "ttl" => weeks && "\"#{weeks}s\"",
                       "collapseKey" => header("apns-collapse-id"), "data" => @data)
      { "message" => object("token" => text(token), "android" => android) }
    end

    def expo(token)
      {
        "to" => text(token), **LINES.to_h { |name| [name, line(name)] },
        "mutableContent" => flag("mutable-content"), "_contentAvailable" => flag("content-available"),
        **values(EXPO_VALUES), "data" => @data, @expiration&.zero? ? "ttl" : "expiration" => @expiration,
        "priority" => urgency
      }
    end

    def onesignal(token, app_id)
      raise Error.new("missing-value", "OneSignal requires the app's id. Give it.") if app_id.to_s.empty?

      # OneSignal shows English to users of a language without its own text.
      english = ->(name) { line(name) && object("en" => line(name)) }
      level = aps("interruption-level")&.text
      {
        "app_id" => text(app_id), "include_subscription_ids" => "[#{text(token)}]", "target_channel" => '"push"',
        "contents" => english.call("body"), "headings" => english.call("title"), "subtitle" => english.call("subtitle"),
        "mutable_content" => flag("mutable-content"), "content_available" => flag("content-available"),
        "ios_badgeType" => aps("badge") && '"SetTo"', "ios_badgeCount" => source(aps("badge")),
        "ios_interruption_level" => text(LEVELS.fetch(level, level)), **values(ONESIGNAL_VALUES), "data" => @data,
        "ttl" => weeks, "priority" => @push.headers["apns-priority"], "collapse_id" => header("apns-collapse-id")
      }
    end
  end
end
