package dev.waybill.hold;

import static java.util.Comparator.comparing;
import static org.jooq.impl.DSL.val;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;

/** Opens and ends many holds in one statement each: on a slow database, one statement for each hold takes minutes. */
record ManyHolds(HoldTables tables) {
    Map<HoldKey, Long> hold(DSLContext tx, Map<HoldKey, Optional<Cause>> wanted) {
        if (wanted.isEmpty()) {
            return Map.of();
        }
        List<Wanted> holds = wanted.entrySet().stream()
                .map(hold -> new Wanted(hold.getKey(), hold.getValue().orElse(null)))
                .sorted(comparing(hold -> hold.key.text()))
                .toList();
        var ids = new HashMap<HoldKey, Long>();
        tx.fetch(
                        HOLD.formatted(
                                tables.holds(), HoldTables.scope(tables.side()).getName()),
                        texts(holds, hold -> hold.key.scope()),
                        texts(holds, hold -> hold.key.session()),
                        texts(holds, hold -> hold.key.message()),
                        texts(holds, hold -> hold.state().column()),
                        texts(holds, hold -> hold.told().reason()),
                        texts(holds, hold -> hold.told().description()))
                .forEach(row -> ids.put(
                        new HoldKey(
                                tables.side(),
                                row.get("scope", String.class),
                                row.get("session_id", String.class),
                                row.get("message_id", String.class)),
                        row.get("id", Long.class)));
        return ids;
    }

    void endEmpty(DSLContext tx, Collection<Long> holdIds) {
        tx.execute(END_EMPTY.formatted(tables.holds(), tables.messages()), val(holdIds.toArray(Long[]::new)));
    }

    private static Field<@Nullable String[]> texts(List<Wanted> holds, Function<Wanted, @Nullable String> column) {
        @Nullable String[] texts = new @Nullable String[holds.size()];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = column.apply(holds.get(i));
        }
        return val(texts);
    }

    /** @param cause null to join the hold */
    private record Wanted(HoldKey key, @Nullable Cause cause) {
        HoldState state() {
            return cause == null ? HoldState.RETRYING : HoldState.PARKED;
        }

        Cause told() {
            return cause == null ? HoldTable.CAUGHT_UP : cause;
        }
    }

    // Like HoldTable.join, a row without a cause leaves an existing hold unchanged.
    private static final String HOLD = """
            insert into %1$s as h (%2$s, session_id, message_id, state, reason, description, times_parked)
            select w.scope, w.session_id, w.message_id, w.state, w.reason, w.description,
              case w.state when 'parked' then 1 else 0 end
            from unnest({0}::text[], {1}::text[], {2}::text[], {3}::text[], {4}::text[], {5}::text[])
              with ordinality as w(scope, session_id, message_id, state, reason, description, place)
            order by w.place
            on conflict (%2$s, key) do update set
              state = case excluded.state when 'parked' then 'parked' else h.state end,
              reason = case excluded.state when 'parked' then excluded.reason else h.reason end,
              description = case excluded.state when 'parked' then excluded.description else h.description end,
              times_parked = h.times_parked
                + case when excluded.state = 'parked' and h.state <> 'parked' then 1 else 0 end,
              changed_at = clock_timestamp()
            returning h.id, h.%2$s as scope, h.session_id, h.message_id
            """;

    private static final String END_EMPTY = """
            delete from %1$s h
            where h.id = any({0}) and not exists (select from %2$s m where m.hold_id = h.id)
            """;
}
