package dev.waybill.servicebus.publisher;

import dev.waybill.relay.OutboxRow;
import dev.waybill.relay.Outcome;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.Publisher.Shipment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Divides a shipment by session, and combines the results. */
final class SessionBatches {
    private SessionBatches() {}

    /** Keeps the order of each session's rows; parts are in the order of their first rows. */
    static List<SessionBatch> of(Shipment shipment) {
        var places = new LinkedHashMap<String, List<Integer>>();
        for (int place = 0; place < shipment.rows().size(); place++) {
            places.computeIfAbsent(key(shipment.rows().get(place)), first -> new ArrayList<>())
                    .add(place);
        }
        return places.values().stream()
                .map(of -> new SessionBatch(of, part(shipment, of)))
                .toList();
    }

    /**
     * Rows before the first unaccepted one count as accepted. Accepted rows behind it are sent again, with equal ids and in
     * order. A refusal counts only without other failures; otherwise it recurs later.
     */
    static PublishResult together(int rows, Collection<BatchResult> results) {
        int accepted = results.stream().mapToInt(BatchResult::stop).reduce(rows, Math::min);
        return results.stream()
                .filter(part -> part.result().outcome() != Outcome.ACCEPTED)
                .min(Comparator.comparing((BatchResult part) -> part.result().outcome() == Outcome.MESSAGE_REFUSED)
                        .thenComparing(BatchResult::stop))
                .map(part -> counted(part, accepted))
                .orElseGet(() -> PublishResult.accepted(accepted));
    }

    // A stopped part may end before the refused row.
    private static PublishResult counted(BatchResult part, int accepted) {
        boolean elsewhere = part.result().outcome() == Outcome.MESSAGE_REFUSED && part.stop() != accepted;
        return elsewhere
                ? PublishResult.accepted(accepted)
                : new PublishResult(
                        accepted, part.result().outcome(), part.result().failure());
    }

    // The prefix distinguishes sessions from partition keys.
    private static String key(OutboxRow row) {
        if (row.sessionKey() != null) {
            return "s" + row.sessionKey();
        }
        @Nullable String partitionKey = row.content().partitionKey();
        return partitionKey != null ? "p" + partitionKey : "";
    }

    private static Shipment part(Shipment shipment, List<Integer> places) {
        return new Shipment(
                shipment.destination(),
                places.stream().map(shipment.rows()::get).toList(),
                shipment.mayContinue());
    }

    /** @param places indexes of the rows in the whole shipment */
    record SessionBatch(List<Integer> places, Shipment shipment) {
        BatchResult result(PublishResult result) {
            int stop = result.accepted() == places.size() ? Integer.MAX_VALUE : places.get(result.accepted());
            return new BatchResult(stop, result);
        }
    }

    /** @param stop index of the first unaccepted row; beyond all rows if there is none */
    record BatchResult(int stop, PublishResult result) {}
}
