package pushcrypt

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

var alertTexts = []string{"title", "subtitle", "body", "title-loc-key", "subtitle-loc-key", "loc-key"}

// reservedNames are those of the members that the extension writes.
var reservedNames = []string{"pushcrypt.receipt", "pushcrypt.added"}

var placeholderNames = []string{"title", "title-loc-key", "title-loc-args", "subtitle", "subtitle-loc-key",
	"subtitle-loc-args", "body", "loc-key", "loc-args"}

// CheckOptions returns an error unless the options name a type, a padding and exposable members, and have a valid lifetime.
func CheckOptions(o Options) error {
	if typeKinds[o.Type] == 0 {
		return fail("not-sealable", "Pushes of this type can't be sealed. Send them unsealed.")
	}
	if o.Lifetime < 1 || o.Lifetime > MaximumLifetime {
		return fail("invalid-lifetime", "The lifetime isn't valid. Give a lifetime of 1 second to 30 days.")
	}
	for _, name := range o.Expose {
		if name != "alert" && !contains(exposable, name) {
			return fail("invalid-configuration", "A member can't be exposed. Give a member of Format.md.")
		}
	}
	if !contains([]string{"buckets", "maximum", "none"}, o.Padding) {
		return fail("invalid-configuration", "The padding isn't valid. Give buckets, maximum or none.")
	}
	if o.Kind != "" && o.Kind != challenge {
		return fail("invalid-configuration", "The kind isn't valid. Give none or challenge.")
	}
	if !isVisible(o.Topic) {
		return fail("invalid-header", "The topic isn't valid. Give visible ASCII characters.")
	}
	return nil
}

// checkOriginal parses the original, and checks the format's rules for its push type.
func checkOriginal(payload []byte, o Options) (Value, error) {
	root, err := ParseObject(payload)
	if err != nil {
		return root, err
	}
	if len(compact(root.Raw)) > 65535 {
		return root, fail("payload-too-large", "The payload has more than 65535 bytes. Shorten it.")
	}
	if _, found := root.Get("ENCRYPTED_DATA"); found {
		return root, fail("already-sealed", "The payload already has an ENCRYPTED_DATA. Seal the original payload.")
	}
	for _, name := range reservedNames {
		if _, found := root.Get(name); found {
			return root, fail("invalid-payload", "%q is reserved for the device. Rename the member.", name)
		}
	}
	aps, found := root.Get("aps")
	if found && aps.Kind != '{' {
		return root, fail("invalid-payload", "\"aps\" isn't an object. Give an object.")
	}
	if o.Kind == challenge {
		return root, checkChallenge(root, aps, o.Type)
	}
	switch o.Type {
	case "alert":
		if isWithdrawal(root) {
			if err := checkWithdrawal(root); err != nil {
				return root, err
			}
		} else if !found {
			return root, fail("invalid-payload", "\"aps\" is missing. Add it.")
		}
		return root, checkAlert(aps, isWithdrawal(root))
	case "background":
		available, _ := aps.Get("content-available")
		number, err := strconv.ParseFloat(string(available.Raw), 64)
		if available.Kind != 't' && (available.Kind != '0' || err != nil || number != 1) {
			return root, fail("invalid-payload", "\"content-available\" isn't 1. Add \"content-available\": 1 to \"aps\".")
		}
		for _, name := range []string{"alert", "badge", "sound"} {
			if value, found := aps.Get(name); found && value.Kind != 'n' {
				return root, fail("invalid-payload", "A background push has %q. Remove it, or send an alert.", name)
			}
		}
	case "liveactivity":
		return root, checkActivity(root, aps)
	}
	return root, nil
}

func checkChallenge(root, aps Value, pushType string) error {
	if _, _, err := readChallenge(root); err != nil {
		return err
	}
	if pushType == "background" {
		return nil
	}
	if pushType != "alert" {
		return fail("invalid-payload", "The push type doesn't fit a challenge. Use alert or background.")
	}
	return checkAlert(aps, true)
}

func checkAlert(aps Value, isTextOptional bool) error {
	alert, _ := aps.Get("alert")
	hasText := isTextOptional || alert.Text != ""
	if alert.Kind != 0 && alert.Kind != 'n' && alert.Kind != '"' && alert.Kind != '{' {
		return fail("invalid-payload", "The alert isn't a string or an object. Correct it.")
	}
	for _, name := range alertTexts {
		value, found := alert.Get(name)
		if found && value.Kind != '"' && value.Kind != 'n' {
			return fail("invalid-payload", "The alert's %q isn't a string. Give a string.", name)
		}
		hasText = hasText || value.Text != ""
	}
	if !hasText {
		return fail("no-alert-text", "The alert has no text. Add a title, a subtitle or a body.")
	}
	return nil
}

func checkActivity(root, aps Value) error {
	if len(root.Members) != 1 || aps.Kind != '{' {
		return fail("invalid-payload", "A Live Activity push has members beside \"aps\". Move them into \"content-state\".")
	}
	event, _ := aps.Get("event")
	attributesType, found := aps.Get("attributes-type")
	hasAttributes := event.Text == "start" || found && attributesType.Kind != 'n'
	for _, name := range []string{"content-state", "attributes"} {
		value, found := aps.Get(name)
		isMissing := !found || value.Kind == 'n'
		if isMissing && name == "content-state" {
			return fail("invalid-payload", "%q is missing, so nothing would be sealed. "+
				"Add a state, to an end a final one, or send it unsealed.", name)
		}
		if isMissing && hasAttributes || !isMissing && value.Kind != '{' {
			return fail("invalid-payload", "%q is missing or isn't an object. Give an object.", name)
		}
		if _, found := value.Get("ENCRYPTED_DATA"); found {
			return fail("already-sealed", "%q already has an ENCRYPTED_DATA. Seal the original payload.", name)
		}
	}
	return nil
}

// frame returns the readable text around the sealed texts, and the parts to seal.
func frame(root Value, o Options) (frames [][]byte, parts []part, err error) {
	kind, before := typeKinds[o.Type], ""
	switch o.Type {
	case "liveactivity":
		return activityFrame(root, o)
	case "alert":
		if isWithdrawal(root) {
			kind = 8
		}
		aps, _ := root.Get("aps")
		if !o.Carrier.rules().hasNoAPS {
			before, err = placeholder(o.Placeholder)
			before = `"alert":` + before + `,"mutable-content":1`
		}
		if err == nil {
			before, err = expose(aps, before, o.Expose)
		}
	case "background":
		before = `"content-available":1`
	}
	if err != nil {
		return nil, nil, err
	}
	if o.Kind == challenge {
		kind = challengeKind
	}
	before = `"aps":{` + before + `},`
	if o.Carrier.rules().hasNoAPS {
		before = ""
	}
	frames = [][]byte{[]byte("{" + before + `"ENCRYPTED_DATA":"`), []byte(`"}`)}
	return frames, []part{{kind: kind, text: compact(root.Raw)}}, nil
}

// placeholder returns the visible alert.
func placeholder(values map[string]any) (string, error) {
	var members []string
	known, hasText, text := 0, false, ""
	for _, name := range placeholderNames {
		value, found := values[name]
		if !found {
			continue
		}
		known++
		switch value := value.(type) {
		case string:
			hasText, text = hasText || value != "", text+value
			members = append(members, quote(name)+":"+quote(value))
		case []string:
			var arguments []string
			for _, argument := range value {
				arguments, text = append(arguments, quote(argument)), text+argument
			}
			members = append(members, quote(name)+":["+strings.Join(arguments, ",")+"]")
		default:
			known = -1
		}
	}
	if !hasText || known != len(values) || !utf8.ValidString(text) {
		return "", fail("invalid-placeholder", "The placeholder has no text, isn't UTF-8 or has another member. Add a body.")
	}
	return "{" + strings.Join(members, ",") + "}", nil
}

// expose appends the members of the original that stay readable.
func expose(aps Value, before string, names []string) (string, error) {
	wanted := map[string]bool{}
	for _, name := range names {
		wanted[name] = true
	}
	for _, name := range exposable {
		value, found := aps.Get(name)
		if !wanted[name] || !found {
			continue
		}
		text := string(value.Raw)
		if name == "sound" && value.Kind == '{' {
			var members []string
			for _, inner := range []string{"critical", "name", "volume"} {
				member, found := value.Get(inner)
				if found {
					members = append(members, quote(inner)+":"+string(member.Raw))
				}
				if member.Kind == '{' || member.Kind == '[' {
					return "", fail("invalid-payload", "The exposed sound has an object or an array. Correct it.")
				}
			}
			text = "{" + strings.Join(members, ",") + "}"
		} else if value.Kind == '{' || value.Kind == '[' {
			return "", fail("invalid-payload", "The exposed %q is an object or an array. Don't expose it.", name)
		}
		before += "," + quote(name) + ":" + text
	}
	return before, nil
}

// activityFrame replaces only the values of the state, of the attributes, and of an alert that isn't exposed.
func activityFrame(root Value, o Options) (frames [][]byte, parts []part, err error) {
	aps, name := root.Members[0].Value, root.Members[0].RawName
	frame := bytes.Join([][]byte{[]byte("{"), name, []byte(":{")}, nil)
	for at, member := range aps.Members {
		if at > 0 {
			frame = append(frame, ',')
		}
		frame = append(append(frame, member.RawName...), ':')
		isState, isAttributes := member.Name == "content-state", member.Name == "attributes"
		if member.Value.Kind == '{' && (isState || isAttributes) {
			kind := byte(4)
			if isAttributes {
				kind = attributesKind
			}
			frames = append(frames, append(frame, `{"ENCRYPTED_DATA":"`...))
			parts, frame = append(parts, part{kind: kind, text: compact(member.Value.Raw)}), []byte(`"}`)
		} else if member.Name == "alert" && member.Value.Kind != 'n' && !contains(o.Expose, "alert") {
			alert, err := replacedAlert(member.Value, o.Placeholder)
			if err != nil {
				return nil, nil, err
			}
			frame = append(frame, alert...)
		} else {
			frame = append(frame, compact(member.Value.Raw)...)
		}
	}
	return append(frames, append(frame, "}}"...)), parts, nil
}

// replacedAlert returns the readable alert of a Live Activity: the placeholder, with the sound of the original's alert.
func replacedAlert(alert Value, values map[string]any) (string, error) {
	text, err := placeholder(values)
	if sound, _ := alert.Get("sound"); err == nil && sound.Kind == '"' {
		text = strings.TrimSuffix(text, "}") + `,"sound":` + string(sound.Raw) + "}"
	}
	return text, err
}
