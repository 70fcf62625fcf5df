package dev.waybill.deadletter;

import static dev.waybill.schema.jooq.Tables.DEAD_LETTER;
import static dev.waybill.schema.jooq.Tables.DEAD_LETTER_ENTITY;
import static dev.waybill.schema.jooq.Tables.DEAD_LETTER_STATE;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.max;
import static org.jooq.impl.DSL.min;

import dev.waybill.deadletter.audit.DeadLetterAudit;
import dev.waybill.deadletter.edit.LetterEditor;
import dev.waybill.deadletter.edit.StateChanges;
import dev.waybill.deadletter.store.CustomPlans;
import dev.waybill.deadletter.store.DeadLetterRows;
import dev.waybill.hold.AuditContext;
import dev.waybill.message.MessageContent;
import dev.waybill.schema.AutoCommitConnections;
import dev.waybill.schema.Page;
import dev.waybill.schema.SchemaName;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Record1;
import org.jooq.Result;
import org.jooq.SelectField;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * The collected dead letters: queries, and decisions of operators but for {@link Redrives}. Each decision is one transaction
 * with its audit row. Needs the grants of {@code Role.OPERATOR}, or {@code Role.READONLY} for queries. Immutable and
 * thread-safe.
 */
public final class DeadLetters {
    private static final int FETCH = 100;

    private final DSLContext dsl;
    private final StateChanges decisions;
    private final LetterEditor editing;

    private DeadLetters(DSLContext dsl, SchemaName schema, Set<String> locked) {
        this.dsl = dsl;
        decisions = new StateChanges(dsl);
        editing = new LetterEditor(
                dsl, schema, locked.stream().map(FieldChange::key).collect(Collectors.toUnmodifiableSet()));
    }

    public static DeadLetters in(DataSource dataSource, SchemaName schema) {
        return in(AutoCommitConnections.using(dataSource), schema, Set.of());
    }

    /** Dead letters of which edits cannot change some fields, by their names in {@link FieldChange#field()}. */
    public static DeadLetters in(DataSource dataSource, SchemaName schema, Set<String> locked) {
        return in(AutoCommitConnections.using(dataSource), schema, locked);
    }

    static DeadLetters in(DSLContext dsl, SchemaName schema, Set<String> locked) {
        return new DeadLetters(CustomPlans.in(schema.in(dsl)), schema, Set.copyOf(locked));
    }

    /** The next letters after an id, 0 at first, in the order of collecting. */
    public List<DeadLetter> list(DeadLetterFilter filter, long after, int most) {
        return dsl.selectFrom(DEAD_LETTER)
                .where(filter.condition(), DeadLetterRows.after(after))
                .orderBy(DEAD_LETTER.ID)
                .limit(most)
                .fetch(DeadLetterRows::letter);
    }

    /** The next letters after an id, 0 at first, in the order of collecting, without bodies. */
    public Page<DeadLetter.Summary> page(DeadLetterFilter filter, long after, int most) {
        return page(filter, after, most, Integer.MAX_VALUE);
    }

    /** The next letters, with a limit to how many further ones are counted. */
    public Page<DeadLetter.Summary> page(DeadLetterFilter filter, long after, int most, int counted) {
        List<DeadLetter.Summary> letters = dsl.select(DeadLetterRows.summaryFields())
                .from(DEAD_LETTER)
                .where(filter.condition(), DeadLetterRows.after(after))
                .orderBy(DEAD_LETTER.ID)
                .limit(most)
                .fetch(DeadLetterRows::summary);
        long more = letters.size() < most
                ? 0
                : count(filter.and(DeadLetterRows.after(letters.get(most - 1).id())), counted);
        return new Page<>(letters, more);
    }

    /**
     * At most {@code most} letters after an id in the states of the filter, whether they match the rest of it or not. Pages, counts
     * and groups read this range alone. Not for filters by session or id, which use an index.
     */
    public Range range(DeadLetterFilter filter, long after, int most) {
        Table<Record1<Long>> chosen = dsl.select(DEAD_LETTER_STATE.ID)
                .from(DEAD_LETTER_STATE)
                .where(DEAD_LETTER_STATE.ID.gt(after), filter.inStates(DEAD_LETTER_STATE.STATE))
                .orderBy(DEAD_LETTER_STATE.ID)
                .limit(most)
                .asTable("chosen");
        var end = dsl.select(max(chosen.field(DEAD_LETTER_STATE.ID)), DSL.count())
                .from(chosen)
                .fetchSingle();
        long last = end.value1() == null ? after : end.value1();
        return new Range(filter.and(DeadLetterRows.upTo(last)), last, end.value2() < most);
    }

    /** Passes each letter to a visitor in the order of collecting, with 100 letters in memory. */
    public void forEach(DeadLetterFilter filter, Consumer<DeadLetter> visitor) {
        long after = 0;
        List<DeadLetter> page;
        do {
            page = list(filter, after, FETCH);
            page.forEach(visitor);
            after = page.isEmpty() ? after : page.get(page.size() - 1).id();
        } while (page.size() == FETCH);
    }

    public Optional<DeadLetter> show(long id) {
        return list(DeadLetterFilter.id(id), 0, 1).stream().findFirst();
    }

    public long count(DeadLetterFilter filter) {
        return dsl.selectCount()
                .from(DEAD_LETTER)
                .where(filter.condition())
                .fetchSingle()
                .value1();
    }

    private long count(DeadLetterFilter filter, int atMost) {
        return atMost == Integer.MAX_VALUE
                ? count(filter)
                : dsl.fetchCount(dsl.selectOne()
                        .from(DEAD_LETTER)
                        .where(filter.condition())
                        .limit(atMost));
    }

    /**
     * Limits a filter to letters that were stored and have not changed up to now, so that an operator decides only about letters
     * that were counted. A transaction that commits later may still add letters.
     */
    public DeadLetterFilter asOfNow(DeadLetterFilter filter) {
        return filter.unchangedSince(
                dsl.select(DeadLetterRows.now()).fetchSingle().value1());
    }

    /** The first letters of a filter as of now, in the order of collecting. */
    public Part part(DeadLetterFilter filter, int most) {
        OffsetDateTime at = dsl.select(DeadLetterRows.now()).fetchSingle().value1();
        List<Long> ids = dsl.select(DEAD_LETTER.ID)
                .from(DEAD_LETTER)
                .where(filter.unchangedSince(at).condition())
                .orderBy(DEAD_LETTER.ID)
                .limit(most + 1)
                .fetch(DEAD_LETTER.ID);
        int count = Math.min(most, ids.size());
        return new Part(count, ids.size() > most, count == 0 ? 0 : ids.get(count - 1), at.toInstant());
    }

    /** How many letters each group has, the largest group first. */
    public List<DeadLetterGroup> groups(DeadLetterFilter filter, DeadLetterGroup.By... by) {
        return groups(filter, Integer.MAX_VALUE, by).rows();
    }

    public Page<DeadLetterGroup> groups(DeadLetterFilter filter, int most, DeadLetterGroup.By... by) {
        List<Field<String>> keys = Stream.of(by).map(DeadLetterGroup.By::field).toList();
        Field<Integer> number = DSL.count();
        Field<Long> oldest = age(min(DEAD_LETTER.ENQUEUED_AT));
        Field<Long> longest = age(min(DEAD_LETTER.COLLECTED_AT));
        Field<Long> kinds = field("count(*) over ()", SQLDataType.BIGINT);
        var columns = new ArrayList<SelectField<?>>(keys);
        columns.addAll(List.of(number, oldest, longest, kinds));
        Result<Record> found = dsl.select(columns)
                .from(DEAD_LETTER)
                .where(filter.condition())
                .groupBy(keys)
                .orderBy(number.desc(), oldest.desc())
                .limit(most)
                .fetch();
        return Page.of(
                found.map(row -> group(row, keys.size())),
                found.isEmpty() ? 0 : found.get(0).get(kinds));
    }

    private static DeadLetterGroup group(Record row, int keys) {
        var key = new ArrayList<@Nullable String>();
        for (int i = 0; i < keys; i++) {
            key.add(row.get(i, String.class));
        }
        return new DeadLetterGroup(key, row.get(keys, Long.class), millis(row, keys + 1), millis(row, keys + 2));
    }

    public List<CollectorStatus> collectors() {
        Field<Boolean> alive = field(DEAD_LETTER_ENTITY.ALIVE_UNTIL.gt(DeadLetterRows.now()));
        // Collectors report every 5 s that nothing is left.
        Field<Long> behind = field(
                "case when {0} > {1} - interval '15 seconds' then 0 else {2} end",
                SQLDataType.BIGINT,
                DEAD_LETTER_ENTITY.DRAINED_AT,
                DeadLetterRows.now(),
                age(DEAD_LETTER_ENTITY.DRAINED_AT));
        return dsl.select(DEAD_LETTER_ENTITY.fields())
                .select(alive, behind)
                .from(DEAD_LETTER_ENTITY)
                .orderBy(DEAD_LETTER_ENTITY.ENTITY, DEAD_LETTER_ENTITY.TRANSFER)
                .fetch(row -> status(
                        row,
                        row.get(alive),
                        Optional.ofNullable(row.get(behind)).orElse(0L)));
    }

    private static CollectorStatus status(Record row, boolean alive, long behindMillis) {
        return new CollectorStatus(
                new DeadLetterEntity(
                        row.get(DEAD_LETTER_ENTITY.ENTITY),
                        row.get(DEAD_LETTER_ENTITY.TRANSFER),
                        row.get(DEAD_LETTER_ENTITY.DESTINATION)),
                alive,
                row.get(DEAD_LETTER_ENTITY.COLLECTED),
                DeadLetterRows.instant(row.get(DEAD_LETTER_ENTITY.COLLECTED_AT)),
                Duration.ofMillis(behindMillis),
                CollectorStatus.Failing.of(
                        row.get(DEAD_LETTER_ENTITY.FAILURE_REASON),
                        row.get(DEAD_LETTER_ENTITY.FAILURE_DESCRIPTION),
                        DeadLetterRows.instant(row.get(DEAD_LETTER_ENTITY.FAILING_SINCE))));
    }

    /** The actions on a dead letter, oldest first, even after it is gone. */
    public List<DeadLetter.AuditEntry> history(long id) {
        return DeadLetterAudit.of(dsl, id);
    }

    /** Closes letters that are open or quarantined; returns how many. They stay until they are archived. */
    public int discard(DeadLetterFilter filter, AuditContext instruction) {
        return decisions.discard(
                filter.in(DeadLetter.State.OPEN, DeadLetter.State.QUARANTINED).condition(), instruction);
    }

    /** Opens quarantined letters; returns how many. */
    public int release(DeadLetterFilter filter, AuditContext instruction) {
        return decisions.release(filter.in(DeadLetter.State.QUARANTINED).condition(), instruction);
    }

    /**
     * Opens letters that were discarded or re-driven; returns how many. A re-driven copy stays where it is: one that still waits in
     * the outbox is handled all the same, and a second copy is then a duplicate. Let it be published and fail before you edit.
     */
    public int reopen(DeadLetterFilter filter, AuditContext instruction) {
        return decisions.reopen(
                filter.in(DeadLetter.State.DISCARDED, DeadLetter.State.REDRIVEN).condition(), instruction);
    }

    /**
     * Changes the content of an open or quarantined letter, and keeps the former one. Its ids stay, and its session unless it
     * has none.
     *
     * @return the changes; if there are none, nothing is recorded
     * @throws java.util.NoSuchElementException if no such letter is open or quarantined
     * @throws IllegalArgumentException naming a locked field, or why the result could not be re-driven
     */
    public List<FieldChange> edit(long id, UnaryOperator<MessageContent> change, AuditContext instruction) {
        return editing.edit(id, change, instruction);
    }

    /** Changes the content of a letter, unless it was edited since it was read: then throws {@link IllegalStateException}. */
    public List<FieldChange> edit(DeadLetter read, MessageContent content, AuditContext instruction) {
        return editing.edit(read, content, instruction);
    }

    /** The changes that an edit would make. Throws what {@link #edit(long, UnaryOperator, AuditContext)} would throw. */
    public List<FieldChange> preview(long id, UnaryOperator<MessageContent> change) {
        return editing.preview(id, change);
    }

    /** What edits have changed since a letter was collected. */
    public List<FieldChange> diff(long id) {
        return editing.diff(id);
    }

    /** The content of a letter when it was collected. */
    public Optional<MessageContent> original(long id) {
        return editing.original(id);
    }

    private static Field<Long> age(Field<OffsetDateTime> since) {
        return field(
                "greatest(0, (extract(epoch from clock_timestamp() - {0}) * 1000))::bigint", SQLDataType.BIGINT, since);
    }

    private static Duration millis(Record row, int index) {
        return Duration.ofMillis(row.get(index, Long.class));
    }

    /** Letters of the filter, up to the last id. Reading them takes little time, however many follow and however few match. */
    public record Range(DeadLetterFilter filter, long last, boolean isLast) {}

    /**
     * The first letters of a filter at a moment, so that an operator can decide about these and no others later.
     *
     * @param more whether the filter matches further letters
     * @param last id of the last letter; 0 if there is none
     * @param at the moment, by the database's clock
     */
    public record Part(long count, boolean more, long last, Instant at) {
        /** The letters of the part, of this filter, that have not changed since. */
        public DeadLetterFilter of(DeadLetterFilter filter) {
            return filter.upTo(last, at);
        }
    }
}
