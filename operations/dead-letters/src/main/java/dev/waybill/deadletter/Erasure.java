package dev.waybill.deadletter;

import static org.jooq.impl.DSL.val;

import dev.waybill.deadletter.ErasureReport.Place;
import dev.waybill.deadletter.archive.ArchiveStores;
import dev.waybill.deadletter.erase.MessageEraser;
import dev.waybill.deadletter.erase.MessageEraser.Targets;
import dev.waybill.deadletter.exchange.BoundedLines;
import dev.waybill.deadletter.store.CustomPlans;
import dev.waybill.deadletter.store.DeadLetterRows;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.OperatorAction;
import dev.waybill.hold.OperatorAction.Kind;
import dev.waybill.hold.OperatorAction.Subject;
import dev.waybill.schema.AutoCommitConnections;
import dev.waybill.schema.IdleLimit;
import dev.waybill.schema.OptionalTables;
import dev.waybill.schema.Page;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.EnumMap;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.Result;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/**
 * Forgets a message or a session in every place of this database where Waybill keeps a copy, and sees to it that it stays
 * forgotten.
 *
 * <p>First an order is committed, by a digest. From then on nothing that an order names is collected, imported, restored,
 * re-driven or replayed, nor moved into a hold if live messages are meant too. Then those are waited for who could not see the
 * order, and copies are removed until a fresh look finds none. An erasure that was cut short is simply ordered again.
 *
 * <p>Without an archive outside the database, letters that have their documents there lose what the tables say of
 * them and keep their rows; the report counts them. {@link #repeat} with that archive removes both.
 *
 * <p>Ids stay where they keep a message from being handled twice. WAL, backups, standbys that lag, exported files and the
 * broker are out of reach. Keep the orders when a backup is restored ({@link #export}, {@link #importFrom}), and
 * {@link #repeat} them then.
 *
 * <p>Needs the grants of {@code Role.ERASER}. Reads whole tables. Immutable and thread-safe.
 */
public final class Erasure {
    private static final AuditContext PREVIEW = new AuditContext("nobody", "preview");

    private final DSLContext dsl;
    private final SchemaName schema;
    private final SqlFiles sql;
    private final MessageEraser scan;
    private final MessageEraser previewer;

    private Erasure(DSLContext dsl, SchemaName schema, @Nullable ArchiveStore external) {
        this.schema = schema;
        sql = new SqlFiles(Erasure.class, schema);
        var archive = ArchiveStores.of(schema, external);
        this.dsl = archive.patient(dsl);
        scan = new MessageEraser(schema, archive);
        previewer = new MessageEraser(schema, archive.unchanged());
    }

    /** Erasure in a schema of Waybill's tables, with the archive in the database itself. */
    public static Erasure in(DataSource dataSource, SchemaName schema) {
        return in(OptionalTables.of(AutoCommitConnections.using(dataSource), schema), schema, null);
    }

    /** The same with an archive outside the database beside the one in it. */
    public static Erasure in(DataSource dataSource, SchemaName schema, ArchiveStore store) {
        return in(OptionalTables.of(AutoCommitConnections.using(dataSource), schema), schema, store);
    }

    static Erasure in(DSLContext dsl, SchemaName schema, @Nullable ArchiveStore external) {
        return new Erasure(CustomPlans.in(schema.in(dsl)), schema, external);
    }

    /** Says what would be removed now, and removes nothing; it locks what it finds for that moment. */
    public ErasureReport preview(ErasureRequest request) {
        var found = new EnumMap<Place, Long>(Place.class);
        var remaining = new EnumMap<Place, Long>(Place.class);
        try {
            dsl.transaction(tx -> {
                Targets orders = order(tx.dsl(), request, PREVIEW);
                previewer.pass(tx.dsl(), orders, PREVIEW, found);
                remaining.putAll(scan.remaining(tx.dsl(), orders));
                throw new RolledBack();
            });
        } catch (RolledBack e) {
            return new ErasureReport(found, remaining);
        }
        throw new AssertionError("A preview was not taken back");
    }

    /**
     * Orders that something be forgotten, and removes it.
     *
     * @throws IllegalStateException if transactions that store messages have been open for a minute; the order stands, and the
     *     same call goes on with it
     */
    public ErasureReport erase(ErasureRequest request, AuditContext instruction) {
        Targets orders = dsl.transactionResult(tx -> order(tx.dsl(), request, instruction));
        return scan.erase(dsl, orders, instruction);
    }

    /** Removes again what any order names: after a backup was restored, or to be sure. */
    public ErasureReport repeat(AuditContext instruction) {
        List<UUID> digests = orders().stream().map(Order::digest).toList();
        return scan.erase(dsl, Targets.of(digests), instruction);
    }

    /** All orders, oldest first. */
    public List<Order> orders() {
        return dsl.fetch(ORDERS.formatted(schema)).map(Erasure::order);
    }

    /** The newest orders first. */
    public Page<Order> newestOrders(int most) {
        Result<Record> found = dsl.fetch(NEWEST_ORDERS.formatted(schema), val(most));
        return Page.of(
                found.map(Erasure::order), found.isEmpty() ? 0 : found.get(0).get("orders", Long.class));
    }

    private static Order order(Record row) {
        return new Order(
                row.get("digest", UUID.class),
                DeadLetterRows.constant(ErasureRequest.Kind.class, row.get("kind", String.class)),
                row.get("live", Boolean.class),
                new AuditContext(row.get("operator", String.class), row.get("reason", String.class)),
                row.get("ordered_at", OffsetDateTime.class).toInstant());
    }

    /** Lets what is named come again. Brings nothing back. False if there was no such order. */
    public boolean lift(ErasureRequest request, AuditContext instruction) {
        String[] ids = request.stored().toArray(String[]::new);
        return dsl.transactionResult(tx -> {
            List<UUID> lifted = tx.dsl()
                    .fetch(sql.get("erasure-lift"), val(DeadLetterRows.column(request.kind())), val(ids))
                    .getValues(0, UUID.class);
            audit(tx.dsl(), "lift", request.kind(), lifted, instruction);
            return !lifted.isEmpty();
        });
    }

    private void audit(
            DSLContext tx, String action, ErasureRequest.Kind kind, List<UUID> digests, AuditContext instruction) {
        for (UUID digest : digests) {
            new OperatorAction(
                            action,
                            new Subject(Kind.ERASURE_ORDER, digest.toString(), DeadLetterRows.column(kind)),
                            instruction.operator(),
                            instruction.reason())
                    .write(schema.in(tx), null, null);
        }
    }

    /** Writes a line of JSON for each order, to be kept apart from the database. Returns how many. */
    public int export(Appendable out) throws IOException {
        List<String> lines = dsl.fetch(EXPORT.formatted(schema)).getValues(0, String.class);
        for (String line : lines) {
            out.append(line).append('\n');
        }
        return lines.size();
    }

    /**
     * Takes orders from lines that {@link #export} has written, all of them or none. Removes nothing; {@link #repeat} does.
     *
     * @return how many
     * @throws IllegalArgumentException naming the line that is no order
     */
    public int importFrom(BufferedReader lines) {
        return IdleLimit.of(BoundedLines.SLOWEST, dsl).transactionResult(tx -> {
            var from = new BoundedLines(lines, 10_000);
            int imported = 0;
            for (@Nullable String line = from.next(); line != null; line = from.next()) {
                if (!line.isBlank()) {
                    importLine(tx.dsl(), line, from.number());
                    imported++;
                }
            }
            return imported;
        });
    }

    private void importLine(DSLContext tx, String line, int number) {
        try {
            tx.execute(sql.get("erasure-import"), val(line));
        } catch (DataAccessException e) {
            if (!isOfTheData(e)) {
                throw e;
            }
            throw new IllegalArgumentException("Nothing was imported, because line " + number + " is no order", e);
        }
    }

    // Class 22 is "data exception", 23 "integrity constraint violation".
    private static boolean isOfTheData(DataAccessException failure) {
        String state = failure.sqlState();
        return state.startsWith("22") || state.startsWith("23");
    }

    private Targets order(DSLContext tx, ErasureRequest request, AuditContext instruction) {
        List<UUID> digests = tx.fetch(
                        sql.get("erasure-order"),
                        val(DeadLetterRows.column(request.kind())),
                        val(request.stored().toArray(String[]::new)),
                        val(request.live()),
                        val(instruction.operator()),
                        val(instruction.reason()))
                .getValues(0, UUID.class);
        audit(tx, "erase", request.kind(), digests, instruction);
        return new Targets(digests, request.kind(), request.stored());
    }

    private static final String ORDERS =
            "select digest, kind, live, operator, reason, ordered_at from %1$s.erasure_order order by ordered_at, digest";

    private static final String NEWEST_ORDERS =
            "select digest, kind, live, operator, reason, ordered_at, count(*) over () as orders from %1$s.erasure_order"
                    + " order by ordered_at desc, digest limit {0}";

    private static final String EXPORT =
            "select to_jsonb(o)::text from %1$s.erasure_order o order by ordered_at, digest";

    /** A preview is taken back. */
    private static final class RolledBack extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /**
     * An order to forget something. Says nothing itself: the id stands in it as a digest.
     *
     * @param live whether also what is still on its way is taken
     */
    public record Order(
            UUID digest, ErasureRequest.Kind kind, boolean live, AuditContext instruction, Instant orderedAt) {}
}
