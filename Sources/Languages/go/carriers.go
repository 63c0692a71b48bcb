package pushcrypt

import "strings"

var messageTypes = []string{"alert", "background"}

// carrierRules are what a carrier takes. The zero value is for APNs, and for a carrier that isn't known.
type carrierRules struct {
	types        []string // all if it is nil
	reserve      int      // bytes for the carrier's own members
	longestValue int      // characters of the sealed value; no limit if it is 0
	exposable    []string // all if it is nil
	hasNoAPS     bool     // the payload has the sealed value alone

	takesNoSoundMembers, takesNoStringKeys, requiresBody, takesNoCollapseID bool
}

var carriers = map[string]carrierRules{
	"apns":             {},
	"firebase":         {types: messageTypes, reserve: 256},
	"firebase-android": {types: messageTypes, exposable: []string{}, hasNoAPS: true},
	"expo": {types: messageTypes, reserve: 512,
		exposable:         []string{"category", "sound", "badge", "interruption-level", "content-available"},
		takesNoStringKeys: true, takesNoCollapseID: true},
	"onesignal": {types: messageTypes, reserve: 512, longestValue: 2048 - len(`{"ENCRYPTED_DATA":""}`),
		exposable: []string{"category", "thread-id", "sound", "badge", "interruption-level", "relevance-score",
			"target-content-id", "content-available"},
		takesNoSoundMembers: true, takesNoStringKeys: true, requiresBody: true},
}

// IsKnown reports whether Push.Request creates requests for the carrier.
func (c Carrier) IsKnown() bool {
	_, found := carriers[c.String()]
	return found
}

func (c Carrier) rules() carrierRules { return carriers[c.String()] }

// room returns the number of characters for the sealed values beside the readable bytes of a payload.
func (c Carrier) room(pushType string, readable int) int {
	maximum, rules := 4096, c.rules()
	if pushType == "voip" {
		maximum = 5120
	}
	room := maximum - rules.reserve - readable
	if rules.longestValue > 0 && room > rules.longestValue {
		return rules.longestValue
	}
	return room
}

func (c Carrier) checkType(pushType string) error {
	if types := c.rules().types; types != nil && !contains(types, pushType) {
		return fail("not-sealable", "%s takes no sealed %s pushes. Send them to APNs.", c, pushType)
	}
	return nil
}

// check returns an error if the carrier's request has no member for a part of the push.
func (c Carrier) check(root Value, o Options) error {
	if err := c.checkType(o.Type); err != nil {
		return err
	}
	if o.CollapseID != "" && c.rules().takesNoCollapseID {
		return fail("invalid-header", "%s has no collapse id. Omit it.", c)
	}
	if o.Type != "alert" {
		return nil
	}
	aps, _ := root.Get("aps")
	if err := c.checkExposed(aps, o.Expose); err != nil || c.rules().hasNoAPS {
		return err
	}
	return c.checkPlaceholder(o.Placeholder)
}

func (c Carrier) checkExposed(aps Value, names []string) error {
	rules := c.rules()
	for _, name := range names {
		if rules.exposable != nil && name != "alert" && !contains(rules.exposable, name) {
			return fail("invalid-payload", "%s has no member for %s. Do not expose it.", c, name)
		}
	}
	sound, _ := aps.Get("sound")
	if rules.takesNoSoundMembers && sound.Kind == '{' && contains(names, "sound") {
		return fail("invalid-payload", "%s takes a sound's name only. Do not expose the sound.", c)
	}
	return nil
}

func (c Carrier) checkPlaceholder(values map[string]any) error {
	rules := c.rules()
	for name := range values {
		if rules.takesNoStringKeys && strings.Contains(name, "loc-") {
			return fail("invalid-placeholder", "%s takes no keys of the app's string table. Use text.", c)
		}
	}
	if values["body"] == nil || values["body"] == "" {
		if rules.requiresBody {
			return fail("invalid-placeholder", "%s requires a body. Add it to the placeholder.", c)
		}
	}
	return nil
}
