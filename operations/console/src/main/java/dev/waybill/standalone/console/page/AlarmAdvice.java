package dev.waybill.standalone.console.page;

import java.util.Map;

/** One sentence of advice for each alarm; the runbook of that name has the rest. */
final class AlarmAdvice {
    static final Map<String, String> TEXTS = Map.ofEntries(
            Map.entry("no-relay", "Start a relay. Its log names in one line what keeps it from working."),
            Map.entry("hanging", "Take a thread dump of that relay, then restart it by SIGTERM."),
            Map.entry("database", "The database answers, but refuses: see the detail, then run 'doctor'."),
            Map.entry("unavailable", "Run 'doctor': it tells whether it is the way to the broker or the broker."),
            Map.entry("throttled", "Wait if the backlog ends; else the namespace is too small."),
            Map.entry("unowned", "Wait for a minute. If it stays, the relays cannot write: see their log."),
            Map.entry(
                    "stalled",
                    "'doctor' tells: no relay serves it, a transaction is open, or the relay or the broker is the limit."),
            Map.entry("refused", "Mend what the broker names: the entity, a right, or its size. It goes on by itself."),
            Map.entry("parked", "Group the holds by reason, mend the cause, then release them."),
            Map.entry("paused", "Ask the person named, then resume it on the destination's page."));

    private AlarmAdvice() {}

    static String on(String alarm) {
        return TEXTS.getOrDefault(alarm, "See the runbook of this name.");
    }
}
