package dev.waybill.deadletter.store;

import static org.jooq.impl.DSL.val;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.ReceivedDeadLetter;
import dev.waybill.deadletter.store.LetterStore.Identity;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlFiles;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.Record;

/** Adds bodies to letters that were imported without them, unless they were redacted or are to be erased. Thread-safe. */
final class BodyBackfill {
    private final SqlFiles sql;
    private final String fill;
    private final String open;
    private final ErasureOrders orders;

    BodyBackfill(SchemaName schema) {
        sql = new SqlFiles(BodyBackfill.class, schema);
        fill = "update " + schema.table("dead_letter_message")
                + " set payload = {0}, body_kind = {1}, emptied = null where id = {2}";
        // It was discarded because it had no body.
        open = "update " + schema.table("dead_letter_state")
                + " set state = {0}, changed_at = clock_timestamp() where id = {1} and state = 'discarded'";
        orders = new ErasureOrders(schema);
    }

    /** Adds the bodies that letters lack, and gives these the state of new ones. Returns how many. */
    int fill(
            DSLContext tx,
            Map<Identity, ReceivedDeadLetter> letters,
            Function<ReceivedDeadLetter, DeadLetter.State> fresh) {
        var whole = new LinkedHashMap<>(letters);
        whole.values().removeIf(letter -> DeadLetterJson.emptied(letter) != null);
        Map<Identity, Long> empty = find(tx, whole);
        if (empty.isEmpty()) {
            return 0;
        }
        empty.values().retainAll(lock(tx, empty.values()));
        whole.keySet().retainAll(empty.keySet());
        Map<Identity, ReceivedDeadLetter> allowed = orders.pass(tx) ? orders.allowed(tx, whole) : whole;
        empty.forEach((identity, id) -> {
            ReceivedDeadLetter letter = allowed.get(identity);
            if (letter != null) {
                tx.execute(fill, val(letter.content().body()), val(DeadLetterRows.column(letter.bodyKind())), val(id));
                tx.execute(open, val(DeadLetterRows.column(fresh.apply(letter))), val(id));
            }
        });
        return allowed.size();
    }

    private List<Long> lock(DSLContext tx, Collection<Long> ids) {
        return tx.fetch(sql.get("bodies-missing-lock"), val(ids.toArray(Long[]::new)))
                .getValues(0, Long.class);
    }

    private Map<Identity, Long> find(DSLContext tx, Map<Identity, ReceivedDeadLetter> letters) {
        if (letters.isEmpty()) {
            return new LinkedHashMap<>();
        }
        List<Identity> all = List.copyOf(letters.keySet());
        var found = new LinkedHashMap<Identity, Long>();
        for (Record row : tx.fetch(
                sql.get("bodies-missing"),
                val(all.stream().map(Identity::messageId).toArray(String[]::new)),
                val(all.stream().map(Identity::key).toArray(UUID[]::new)))) {
            found.put(all.get(row.get(1, Integer.class) - 1), row.get(0, Long.class));
        }
        return found;
    }
}
