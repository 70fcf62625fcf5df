package dev.waybill.standalone.console.page;

import java.util.Map;

/** One sentence of advice for each alarm; the runbook of that name has the rest. */
final class AlarmAdvice {
    static final Map<String, String> TEXTS = Map.ofEntries(
            Map.entry("no-relay", "Start a relay. Its log names in one line what prevents its start."),
            Map.entry("hanging", "Take a thread dump of that relay, then restart it by SIGTERM."),
            Map.entry("database", "The database answers, but refuses: see the detail, then run 'doctor'."),
            Map.entry("unavailable", "Run 'doctor': it shows whether the network or the broker fails."),
            Map.entry("throttled", "Wait if the backlog ends; else the namespace is too small."),
            Map.entry("unowned", "Wait for a minute. If it stays, the relays cannot write: see their log."),
            Map.entry(
                    "stalled",
                    "Run 'doctor': no relay owns it, a transaction is open, or the relay or the broker is saturated."),
            Map.entry(
                    "two-namespaces",
                    "Stop the relay that publishes to the wrong namespace, and look for messages there."),
            Map.entry(
                    "two-spellings", "Let all relays and appends use one spelling, and end the holds under the other."),
            Map.entry(
                    "refused",
                    "Fix what the broker names: the entity, a role, or its size. Publishing resumes by itself."),
            Map.entry(
                    "not-receiving",
                    "Fix what the broker names: the entity, its kind, or a role. Receiving resumes by itself."),
            Map.entry("parked", "Group the holds by reason, fix the cause, then release them."),
            Map.entry("paused", "Ask the person named, then resume it on the destination's page."));

    private AlarmAdvice() {}

    static String on(String alarm) {
        return TEXTS.getOrDefault(alarm, "See the runbook of this name.");
    }
}
