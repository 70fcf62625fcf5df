package dev.waybill.standalone.console.page;

import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.console.page.form.Formats;
import dev.waybill.standalone.database.Overview;

/** Maps destinations to configured entities. */
record DestinationEntities(Configuration configuration) {
    /** The path of the entity; the destination's name if it is not configured. */
    String path(String destination) {
        return configuration.destinations().stream()
                .filter(each -> each.name().equals(destination))
                .map(DestinationSettings::place)
                .map(DestinationSettings.Place::entity)
                .findFirst()
                .orElse(destination);
    }

    /** The number of dead letters of the queue or all subscriptions; a plus marks a lower bound. */
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
