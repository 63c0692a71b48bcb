package pushcrypt

import (
	"strconv"
	"strings"
)

// fourWeeks is the longest time in seconds for which Firebase keeps a push for Android, and OneSignal each push.
const fourWeeks = 28 * 24 * 3600

// firebaseHeaders has no apns-id, which only APNs gets.
var firebaseHeaders = []string{"apns-collapse-id", "apns-expiration", "apns-priority", "apns-push-type", "apns-topic"}

// CarrierRequest is the request to a carrier: its body and its headers. The URL and your credentials aren't part of it.
type CarrierRequest struct {
	Body    []byte
	Headers [][2]string
}

// Request returns the request that hands a push to its carrier.
// The token is the carrier's own. For APNs, the token is in the URL. Only OneSignal requires the app's id.
func (p Push) Request(token, appID string) (request CarrierRequest, err error) {
	if token == "" || !isVisible(token) {
		return request, fail("invalid-header", "The device token isn't visible ASCII. Give it as it was issued.")
	}
	c, err := newContent(p)
	if err != nil {
		return request, err
	}
	var body jsonObject
	switch p.Carrier.String() {
	case "apns":
		return CarrierRequest{p.Payload, p.Headers}, nil
	case "firebase":
		body = c.firebase(token)
	case "firebase-android":
		body = c.firebaseAndroid(token)
	case "expo":
		body = c.expo(token)
	case "onesignal":
		body, err = c.oneSignal(token, appID)
	default:
		err = fail("not-sealable", "The carrier's request isn't known. Send the payload to it yourself.")
	}
	if err != nil {
		return request, err
	}
	return CarrierRequest{[]byte(body.json()), [][2]string{{"Content-Type", "application/json"}}}, nil
}

// jsonObject has the names and the values, in JSON, of an object. A member with an empty value isn't written.
type jsonObject [][2]string

func (m jsonObject) json() string {
	var texts []string
	for _, member := range m {
		if member[1] != "" {
			texts = append(texts, quote(member[0])+":"+member[1])
		}
	}
	return "{" + strings.Join(texts, ",") + "}"
}

// content has the parts of a sealed push. A part is empty if it is missing.
type content struct {
	payload   string
	headers   [][2]string
	root, aps Value
	// expiration is in seconds, and timeToLive in seconds from the time of issue. Both are -1 if they are missing.
	expiration, timeToLive int64
}

func newContent(p Push) (c content, err error) {
	c = content{payload: string(p.Payload), headers: p.Headers, expiration: -1, timeToLive: -1}
	if c.root, err = ParseObject(p.Payload); err != nil {
		return c, err
	}
	c.aps, _ = c.root.Get("aps")
	end, err := strconv.ParseInt(c.header("apns-expiration"), 10, 64)
	if err != nil {
		return c, nil
	}
	c.expiration, c.timeToLive = end, 0
	if left := end*1000 - p.IssuedAtMS; end > 0 && left > 0 {
		c.timeToLive = left / 1000
	}
	return c, nil
}

func (c content) header(name string) string {
	for _, field := range c.headers {
		if field[0] == name {
			return field[1]
		}
	}
	return ""
}

func quoted(text string) string {
	if text == "" {
		return ""
	}
	return quote(text)
}

func raw(object Value, name string) string {
	value, _ := object.Get(name)
	return string(value.Raw)
}

func (c content) line(name string) string {
	alert, _ := c.aps.Get("alert")
	return raw(alert, name)
}

// english returns a line as OneSignal's text for users of each language without its own text.
func (c content) english(name string) string {
	if line := c.line(name); line != "" {
		return jsonObject{{"en", line}}.json()
	}
	return ""
}

func (c content) flag(name string) string {
	if _, found := c.aps.Get(name); found {
		return "true"
	}
	return ""
}

func (c content) data() string {
	return jsonObject{{"ENCRYPTED_DATA", raw(c.root, "ENCRYPTED_DATA")}}.json()
}

func (c content) urgency() string {
	if c.header("apns-priority") == "10" {
		return `"high"`
	}
	return `"normal"`
}

// seconds returns the time to live in digits, at most four weeks.
func (c content) seconds() string {
	if c.timeToLive < 0 {
		return ""
	}
	if c.timeToLive > fourWeeks {
		return strconv.Itoa(fourWeeks)
	}
	return strconv.FormatInt(c.timeToLive, 10)
}

func (c content) firebase(token string) jsonObject {
	var headers jsonObject
	for _, name := range firebaseHeaders {
		headers = append(headers, [2]string{name, quoted(c.header(name))})
	}
	apns := jsonObject{{"headers", headers.json()}, {"payload", c.payload}}
	return jsonObject{{"message", jsonObject{{"token", quote(token)}, {"apns", apns.json()}}.json()}}
}

func (c content) firebaseAndroid(token string) jsonObject {
	android := jsonObject{{"priority", c.urgency()}}
	if seconds := c.seconds(); seconds != "" {
		android = append(android, [2]string{"ttl", quote(seconds + "s")})
	}
	android = append(android, jsonObject{{"collapseKey", quoted(c.header("apns-collapse-id"))}, {"data", c.data()}}...)
	return jsonObject{{"message", jsonObject{{"token", quote(token)}, {"android", android.json()}}.json()}}
}

func (c content) expo(token string) jsonObject {
	end := [2]string{"expiration", c.header("apns-expiration")}
	if c.expiration == 0 {
		end[0] = "ttl"
	}
	return jsonObject{
		{"to", quote(token)}, {"title", c.line("title")}, {"subtitle", c.line("subtitle")}, {"body", c.line("body")},
		{"mutableContent", c.flag("mutable-content")}, {"_contentAvailable", c.flag("content-available")},
		{"badge", raw(c.aps, "badge")}, {"sound", raw(c.aps, "sound")}, {"categoryId", raw(c.aps, "category")},
		{"interruptionLevel", raw(c.aps, "interruption-level")}, {"data", c.data()}, end, {"priority", c.urgency()},
	}
}

func (c content) oneSignal(token, appID string) (jsonObject, error) {
	if appID == "" {
		return nil, fail("missing-value", "OneSignal requires the app's id. Give it.")
	}
	badgeType, badge := "", raw(c.aps, "badge")
	if badge != "" {
		badgeType = `"SetTo"`
	}
	level := ""
	if value, _ := c.aps.Get("interruption-level"); value.Kind == '"' {
		if level = quote(value.Text); value.Text == "time-sensitive" {
			level = `"time_sensitive"`
		}
	}
	return jsonObject{
		{"app_id", quote(appID)}, {"include_subscription_ids", "[" + quote(token) + "]"}, {"target_channel", `"push"`},
		{"contents", c.english("body")}, {"headings", c.english("title")}, {"subtitle", c.english("subtitle")},
		{"mutable_content", c.flag("mutable-content")}, {"content_available", c.flag("content-available")},
		{"ios_badgeType", badgeType}, {"ios_badgeCount", badge},
		{"ios_interruption_level", level},
		{"ios_sound", raw(c.aps, "sound")}, {"ios_category", raw(c.aps, "category")},
		{"thread_id", raw(c.aps, "thread-id")}, {"ios_relevance_score", raw(c.aps, "relevance-score")},
		{"target_content_identifier", raw(c.aps, "target-content-id")}, {"data", c.data()},
		{"ttl", c.seconds()}, {"priority", c.header("apns-priority")},
		{"collapse_id", quoted(c.header("apns-collapse-id"))},
	}, nil
}
