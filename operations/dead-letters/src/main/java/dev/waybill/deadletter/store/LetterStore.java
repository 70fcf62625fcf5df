package dev.waybill.deadletter.store;

import static org.jooq.impl.DSL.val;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetter.EmptiedReason;
import dev.waybill.deadletter.ReceivedDeadLetter;
import dev.waybill.message.MessageContent;
import dev.waybill.message.WireContract;
import dev.waybill.schema.DeadlockRetry;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlError;
import dev.waybill.schema.SqlError.Kind;
import dev.waybill.schema.SqlFiles;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/** Stores letters, each once. They are copied first; only after a unique violation are the stored ones looked up. */
public final class LetterStore {
    /** Another transaction has stored one of them. */
    private static final String UNIQUE_VIOLATION = "23505";

    private static final List<Column> COLUMNS = List.of(
            text("entity", a -> a.origin().entity().path()),
            new Column("transfer", (rows, a) -> rows.flag(a.origin().entity().transfer())),
            new Column("sequence_number", (rows, a) -> rows.bigint(a.origin().sequenceNumber())),
            time("enqueued_at", a -> a.origin().enqueuedAt()),
            new Column("deliveries", (rows, a) -> rows.bigint(a.origin().deliveries())),
            time("expires_at", a -> a.origin().expiresAt()),
            text("source", a -> a.death().source()),
            text("reason", a -> a.death().reason()),
            text("description", a -> a.death().description()),
            text(
                    "exception_type",
                    a -> ExceptionType.of(a.death().reason(), a.death().description())),
            text("session_id", a -> a.content().sessionId()),
            text("message_id", a -> a.content().messageId()),
            text("broker_message_id", a -> a.content().brokerMessageId()),
            text("partition_key", a -> a.content().partitionKey()),
            text("subject", a -> a.content().subject()),
            text("content_type", a -> a.content().contentType()),
            text("correlation_id", a -> a.content().correlationId()),
            text("to_address", a -> a.content().toAddress()),
            text("reply_to", a -> a.content().replyTo()),
            text("reply_to_session_id", a -> a.content().replyToSessionId()),
            new Column(
                    "time_to_live", (rows, a) -> rows.bigint(millis(a.content().timeToLive()))),
            time("scheduled_enqueue_time", a -> a.content().scheduledEnqueueTime()),
            text("headers", a -> a.content().headers()),
            text("body_kind", a -> DeadLetterRows.column(a.bodyKind())),
            new Column("payload", (rows, a) -> rows.bytes(a.content().body())),
            new Column("claim", (rows, a) -> rows.uuid(claim(a.content()))),
            new Column("redrives", (rows, a) -> rows.integer(redrives(a.content()))),
            time("first_enqueued_at", a -> first(a, FirstEnqueued::enqueuedAt)),
            new Column("first_sequence_number", (rows, a) -> rows.bigint(first(a, FirstEnqueued::sequenceNumber))),
            text("emptied", LetterStore::emptied));

    private final int mostRedrives;
    private final String messages;
    private final String states;
    private final SqlFiles sql;
    private final ErasureOrders orders;
    private final BodyBackfill missing;
    private final ClaimTable claims;

    /** Letters with {@code mostRedrives} re-drives are quarantined. */
    public LetterStore(SchemaName schema, int mostRedrives) {
        this.mostRedrives = mostRedrives;
        messages = "copy " + schema.table("dead_letter_message") + " (id, key, "
                + String.join(", ", COLUMNS.stream().map(Column::name).toList()) + ") from stdin (format binary)";
        states = "copy " + schema.table("dead_letter_state") + " (id, state) from stdin (format binary)";
        sql = new SqlFiles(LetterStore.class, schema);
        orders = new ErasureOrders(schema);
        missing = new BodyBackfill(schema);
        claims = new ClaimTable(schema);
    }

    /** Whether the database refuses the data: SQL class 22 (wrong) or 54 (too large). */
    public static boolean isRefusal(DataAccessException e) {
        @Nullable SqlError error = SqlError.of(e.sqlState());
        return error != null && (error.kind() == Kind.VALUE || error.kind() == Kind.LIMIT);
    }

    /**
     * Stores letters that are new and that no order of erasure names, in one transaction with {@code also}. A letter that is
     * stored without its body gets the body. Returns how many were new, or got their bodies.
     */
    public int store(DSLContext dsl, List<ReceivedDeadLetter> letters, BiConsumer<DSLContext, Integer> also) {
        var some = new LinkedHashMap<Identity, ReceivedDeadLetter>();
        letters.forEach(letter -> some.merge(Identity.of(letter), letter, LetterStore::whole));
        return DeadlockRetry.alsoAfter(
                UNIQUE_VIOLATION,
                attempt -> dsl.transactionResult(tx -> {
                    boolean first = attempt == 1;
                    ErasureOrders.readCommitted(tx.dsl());
                    int stored = first ? 0 : missing.fill(tx.dsl(), some, this::stateOf);
                    stored += copy(tx.dsl(), first ? some : unknown(tx.dsl(), some));
                    also.accept(tx.dsl(), stored);
                    return stored;
                }));
    }

    // A file may have a letter both with its body and without.
    private static ReceivedDeadLetter whole(ReceivedDeadLetter one, ReceivedDeadLetter another) {
        return DeadLetterJson.emptied(one) == null ? one : another;
    }

    // A copy, because the transaction may be repeated.
    private Map<Identity, ReceivedDeadLetter> unknown(DSLContext tx, Map<Identity, ReceivedDeadLetter> letters) {
        String[] messageIds = letters.keySet().stream().map(Identity::messageId).toArray(String[]::new);
        UUID[] keys = letters.keySet().stream().map(Identity::key).toArray(UUID[]::new);
        var all = List.copyOf(letters.keySet());
        var unknown = new LinkedHashMap<>(letters);
        tx.fetch(sql.get("letters-known"), val(messageIds), val(keys))
                .getValues(0, Integer.class)
                .forEach(place -> unknown.remove(all.get(place - 1)));
        return unknown;
    }

    private int copy(DSLContext tx, Map<Identity, ReceivedDeadLetter> unknown) {
        if (unknown.isEmpty()) {
            return 0;
        }
        Record drawn = tx.fetchSingle(sql.get("letter-ids"), val(unknown.size()));
        Map<Identity, ReceivedDeadLetter> letters = drawn.get(1, Boolean.class) ? withoutErased(tx, unknown) : unknown;
        if (!letters.isEmpty()) {
            copy(tx, letters, List.of(drawn.get(0, Long[].class)).iterator());
        }
        return letters.size();
    }

    // A body outside the message would never be found once its letter is left out.
    private Map<Identity, ReceivedDeadLetter> withoutErased(DSLContext tx, Map<Identity, ReceivedDeadLetter> letters) {
        Map<Identity, ReceivedDeadLetter> allowed = orders.allowed(tx, letters);
        var named = new ArrayList<@Nullable UUID>();
        letters.forEach((identity, letter) -> {
            if (!allowed.containsKey(identity)) {
                named.add(claim(letter.content()));
            }
        });
        claims.forget(tx, named);
        return allowed;
    }

    private void copy(DSLContext tx, Map<Identity, ReceivedDeadLetter> letters, Iterator<Long> next) {
        var messageRows = new BinaryCopy(COLUMNS.size() + 2);
        var stateRows = new BinaryCopy(2);
        letters.forEach((identity, letter) -> {
            long id = next.next();
            messageRows.begin();
            messageRows.bigint(id);
            messageRows.uuid(identity.key);
            COLUMNS.forEach(column -> column.value.accept(messageRows, letter));
            stateRows.begin();
            stateRows.bigint(id);
            stateRows.text(DeadLetterRows.column(stateOf(letter)));
        });
        tx.connection(connection -> {
            messageRows.send(connection, messages);
            stateRows.send(connection, states);
        });
    }

    private DeadLetter.State stateOf(ReceivedDeadLetter letter) {
        if (DeadLetterJson.emptied(letter) != null) {
            return DeadLetter.State.DISCARDED;
        }
        return redrives(letter.content()) >= mostRedrives ? DeadLetter.State.QUARANTINED : DeadLetter.State.OPEN;
    }

    private static Column text(String name, Function<ReceivedDeadLetter, @Nullable String> value) {
        return new Column(name, (rows, letter) -> rows.text(StorableValues.text(value.apply(letter))));
    }

    private static Column time(String name, Function<ReceivedDeadLetter, @Nullable Instant> value) {
        return new Column(name, (rows, letter) -> rows.time(onCalendar(value.apply(letter))));
    }

    // The SDK gives messages that never expire a time beyond the calendar.
    private static @Nullable Instant onCalendar(@Nullable Instant time) {
        return time == null || !StorableValues.isOnCalendar(time) ? null : time;
    }

    private static <T> @Nullable T first(ReceivedDeadLetter letter, Function<FirstEnqueued, @Nullable T> part) {
        @Nullable FirstEnqueued first = FirstEnqueued.of(letter.content());
        return first == null ? null : part.apply(first);
    }

    private static @Nullable Long millis(@Nullable Duration duration) {
        return duration == null ? null : duration.toMillis();
    }

    private static @Nullable String emptied(ReceivedDeadLetter letter) {
        @Nullable EmptiedReason emptied = DeadLetterJson.emptied(letter);
        return emptied == null ? null : DeadLetterRows.column(emptied);
    }

    private static @Nullable UUID claim(MessageContent content) {
        return content.body().length == 0
                        && property(content, WireContract.CLAIM) instanceof String claim
                        && StorableValues.isUuid(claim)
                ? UUID.fromString(claim)
                : null;
    }

    private static int redrives(MessageContent content) {
        return property(content, WireContract.REDRIVE_COUNT) instanceof Number count
                ? (int) Math.max(0, Math.min(Integer.MAX_VALUE, count.longValue()))
                : 0;
    }

    // Most messages have neither property and need not be parsed.
    private static @Nullable Object property(MessageContent content, String name) {
        @Nullable String headers = content.headers();
        return headers == null || !headers.contains(name)
                ? null
                : content.properties().get(name);
    }

    /** What is unique in the table. An imported line may have the key of another letter, but not its id as well. */
    record Identity(String messageId, UUID key) {
        static Identity of(ReceivedDeadLetter letter) {
            return new Identity(
                    String.valueOf(StorableValues.text(letter.content().messageId())), LetterKey.of(letter));
        }
    }

    private record Column(String name, BiConsumer<BinaryCopy, ReceivedDeadLetter> value) {}
}
