package dev.waybill.standalone.console.page;

import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.console.page.form.Formats;
import dev.waybill.standalone.database.Overview;

/** Which entities belong to a destination, by the configuration. */
record DestinationEntities(Configuration configuration) {
    /** The entity's path; the destination's name where it is not configured. */
    String path(String destination) {
        return configuration.destinations().stream()
                .filter(each -> each.name().equals(destination))
                .map(DestinationSettings::place)
                .map(DestinationSettings.Place::entity)
                .findFirst()
                .orElse(destination);
    }

    /** Those of the queue, or of all subscriptions of the topic; with a plus if there may be more. */
    String deadLetters(String destination, Overview overview) {
        String path = path(destination);
        long counted = overview.deadLetters().stream()
                .filter(count -> count.entity().equals(path) || count.entity().startsWith(path + "/Subscriptions/"))
                .mapToLong(Overview.DeadLetterCount::count)
                .sum();
        boolean isAtLeast = overview.deadLetters().stream().anyMatch(Overview.DeadLetterCount::isAtLeast);
        return counted == 0 && !isAtLeast ? "" : Formats.INSTANCE.number(counted) + (isAtLeast ? "+" : "");
    }
}
