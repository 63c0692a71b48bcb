package pushcrypt.receiver;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The comparison of the displayed notifications with the model. */
final class SimulationComparison {
    private SimulationComparison() { }

    /** Returns the rule that the display breaks, or null. */
    static String problem(FakeDisplay display, ReferenceModel model, List<ReferenceModel.Message> messages) {
        Map<String, Integer> found = new TreeMap<>();
        display.bodies().forEach(body -> found.merge(body, 1, Integer::sum));
        if (!found.equals(model.texts())) {
            return "displayed " + model.texts() + ", not " + found;
        }
        for (Map.Entry<String, Integer> text : found.entrySet()) {
            boolean isFallback = text.getKey().equals(ReferenceModel.FALLBACK);
            if (!isFallback && (text.getValue() != 1 || display.appearances.getOrDefault(text.getKey(), 1) > 1)) {
                return "one notification of " + text.getKey();
            }
        }
        for (ReferenceModel.Message message : messages) {
            boolean isOutsider = message.signer == null || message.signer.equals("stranger");
            if (isOutsider && display.appearances.containsKey(message.body)) {
                return "no text of an outsider";
            }
        }
        return null;
    }
}
