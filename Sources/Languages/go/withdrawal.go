package pushcrypt

// isWithdrawal reports whether the alert has a withdrawal's members and no other ones.
func isWithdrawal(root Value) bool {
	targets := 0
	for _, member := range root.Members {
		if member.Name == "collapse-ids" || member.Name == "thread-ids" {
			targets++
		} else if member.Name != "aps" {
			return false
		}
	}
	return targets > 0
}

// withdrawnID returns the id of a withdrawal with one collapse id, and otherwise no text.
func withdrawnID(root Value, pushType string) string {
	ids, _ := root.Get("collapse-ids")
	if len(ids.Items) == 1 && pushType == "alert" && isWithdrawal(root) {
		return ids.Items[0].Text
	}
	return ""
}

func checkWithdrawal(root Value) error {
	count, valid := 0, true
	for _, member := range root.Members {
		if member.Name == "aps" {
			continue
		}
		valid = valid && member.Value.Kind == '['
		for _, id := range member.Value.Items {
			count++
			valid = valid && id.Kind == '"' && id.Text != "" && (member.Name != "collapse-ids" || isCollapseID(id.Text))
		}
	}
	if !valid || count == 0 || count > 100 {
		return fail("invalid-payload", "The withdrawal's ids aren't valid. Give 1 to 100 strings, collapse ids of visible ASCII.")
	}
	return nil
}
