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

/** A shipment divided by session, and what became of the shares as one result. */
final class SessionBatches {
    private SessionBatches() {}

    /** Each session's rows in their order; the shares in the order of their first rows. */
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
     * The rows before the first that was not accepted count as accepted. Those behind it that were are sent again, under
     * the same ids and in the same order. A refusal counts only if nothing else went wrong, so that it is met again when the
     * rest is well.
     */
    static PublishResult together(int rows, Collection<BatchResult> fates) {
        int accepted = fates.stream().mapToInt(BatchResult::stop).reduce(rows, Math::min);
        return fates.stream()
                .filter(fate -> fate.result().outcome() != Outcome.ACCEPTED)
                .min(Comparator.comparing((BatchResult fate) -> fate.result().outcome() == Outcome.MESSAGE_REFUSED)
                        .thenComparing(BatchResult::stop))
                .map(fate -> counted(fate, accepted))
                .orElseGet(() -> PublishResult.accepted(accepted));
    }

    // The row behind the accepted ones is not the refused one if a share before it was not to go on.
    private static PublishResult counted(BatchResult fate, int accepted) {
        boolean elsewhere = fate.result().outcome() == Outcome.MESSAGE_REFUSED && fate.stop() != accepted;
        return elsewhere
                ? PublishResult.accepted(accepted)
                : new PublishResult(
                        accepted, fate.result().outcome(), fate.result().failure());
    }

    // Messages without a session are told from a session by the first character.
    private static String key(OutboxRow row) {
        if (row.sessionId() != null) {
            return "s" + row.sessionId();
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

    /** @param places of its rows in the shipment that was divided */
    record SessionBatch(List<Integer> places, Shipment shipment) {
        BatchResult met(PublishResult result) {
            int stop = result.accepted() == places.size() ? Integer.MAX_VALUE : places.get(result.accepted());
            return new BatchResult(stop, result);
        }
    }

    /** @param stop place of the first row that was not accepted; beyond all rows if all were */
    record BatchResult(int stop, PublishResult result) {}
}
