package dev.waybill.standalone.metrics;

import dev.waybill.deadletter.CollectorStatus;
import dev.waybill.deadletter.DeadLetterGroup;
import dev.waybill.standalone.database.ConsumerView;
import dev.waybill.standalone.database.RelayPart;
import dev.waybill.standalone.database.Status;
import java.util.List;

/**
 * One reading of a database.
 *
 * @param waiting served destinations that are not paused and have messages that are due
 * @param letters open dead letters by entity
 */
public record MetricsReading(
        Status status,
        long waiting,
        RelayPart part,
        List<DeadLetterGroup> letters,
        List<CollectorStatus> collectors,
        List<ConsumerView> consumers) {
    public MetricsReading {
        letters = List.copyOf(letters);
        collectors = List.copyOf(collectors);
        consumers = List.copyOf(consumers);
    }
}
