package dev.waybill.spring.autoconfigure;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The relay of this process. It publishes to waybill.destinations.
 *
 * @param enabled whether this process runs one; messages wait if no process does
 * @param name what operators see; relay- and the process id unless given
 * @param leaseDuration how long the destinations of a crashed relay stand still
 * @param sendDeadline how long one send may take
 * @param pollInterval the shortest time between two polls
 * @param longestIdle the longest time between two polls of an idle destination; 500ms unless given, and 2m for each tenant
 * @param batchRows the most messages in a batch of a lane, 1 to 10,000
 * @param listening whether writers in other processes may wake it, by a connection of its own
 */
public record RelayProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String name,
        @DefaultValue("15s") Duration leaseDuration,
        @DefaultValue("30s") Duration sendDeadline,
        @DefaultValue("8ms") Duration pollInterval,
        @Nullable Duration longestIdle,
        @DefaultValue("100") int batchRows,
        @DefaultValue("true") boolean listening) {
    /** Refuses what no relay could work with. */
    public RelayProperties {
        Requirement.that(
                batchRows > 0 && batchRows <= 10_000, "waybill.relay.batch-rows is 1 to 10000, not " + batchRows);
        Requirement.that(
                leaseDuration.compareTo(Duration.ofSeconds(1)) >= 0 && leaseDuration.compareTo(Duration.ofDays(1)) <= 0,
                "waybill.relay.lease-duration is at least 1s and at most 1d, not " + leaseDuration);
        Requirement.that(
                sendDeadline.compareTo(Duration.ofSeconds(1)) >= 0 && sendDeadline.compareTo(Duration.ofDays(1)) <= 0,
                "waybill.relay.send-deadline is 1s to 1d, not " + sendDeadline + DestinationProperties.UNIT);
        Requirement.that(
                !pollInterval.isNegative() && pollInterval.compareTo(Duration.ofDays(1)) <= 0,
                "waybill.relay.poll-interval is 0 to 1d, not " + pollInterval);
        Requirement.that(
                longestIdle == null
                        || (longestIdle.compareTo(Duration.ofMillis(1)) >= 0
                                && longestIdle.compareTo(Duration.ofDays(1)) <= 0),
                "waybill.relay.longest-idle is 1ms to 1d, not " + longestIdle);
    }

    Duration longestIdle(Duration otherwise) {
        return longestIdle == null ? otherwise : longestIdle;
    }
}
