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
import dev.waybill.schema.SqlError;
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
 * Removes all copies of a message or a session from the database, and keeps new ones out.
 *
 * <p>First an order with a digest of the id is committed. From then on nothing that the order names is collected, imported,
 * restored, re-driven or replayed. If live messages are meant too, none is moved into a hold. Then the eraser waits for
 * transactions that could not see the order, and removes copies until a pass finds none. To resume an erasure that was
 * interrupted, order it again.
 *
 * <p>Without the {@link ArchiveStore}, a letter that has its document there loses its texts and keeps its row; the report counts
 * it. {@link #repeat} with the store removes both.
 *
 * <p>Ids stay where they keep a message from being handled twice. WAL, backups, lagging standbys, exported files and the broker
 * are out of reach. After a backup is restored, import the orders ({@link #export}, {@link #importFrom}) and {@link #repeat}
 * them.
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

    public static Erasure in(DataSource dataSource, SchemaName schema) {
        return in(OptionalTables.of(AutoCommitConnections.using(dataSource), schema), schema, null);
    }

    public static Erasure in(DataSource dataSource, SchemaName schema, ArchiveStore store) {
        return in(OptionalTables.of(AutoCommitConnections.using(dataSource), schema), schema, store);
    }

    static Erasure in(DSLContext dsl, SchemaName schema, @Nullable ArchiveStore external) {
        return new Erasure(CustomPlans.in(schema.in(dsl)), schema, external);
    }

    /** Counts what would be removed. Locks what it finds until it returns. */
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
     * Orders an erasure and carries it out.
     *
     * @throws IllegalStateException if a transaction has been storing messages for a minute. The order stays: repeat the call
     */
    public ErasureReport erase(ErasureRequest request, AuditContext instruction) {
        Targets orders = dsl.transactionResult(tx -> order(tx.dsl(), request, instruction));
        return scan.erase(dsl, orders, instruction);
    }

    /** Carries out all orders again, after a backup was restored or as a check. */
    public ErasureReport repeat(AuditContext instruction) {
        List<UUID> digests = orders().stream().map(Order::digest).toList();
        return scan.erase(dsl, Targets.of(digests), instruction);
    }

    public List<Order> orders() {
        return dsl.fetch(ORDERS.formatted(schema)).map(Erasure::order);
    }

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

    /** Withdraws an order. Brings nothing back. False if there was none. */
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

    /** Writes each order as a line of JSON, to be kept apart from the database. Returns how many. */
    public int export(Appendable out) throws IOException {
        List<String> lines = dsl.fetch(EXPORT.formatted(schema)).getValues(0, String.class);
        for (String line : lines) {
            out.append(line).append('\n');
        }
        return lines.size();
    }

    /**
     * Imports orders that {@link #export} has written, all or none, and returns how many. {@link #repeat} carries them out.
     *
     * @throws IllegalArgumentException naming the line that is no order, or if there is no line
     */
    public int importFrom(BufferedReader lines) {
        return IdleLimit.of(BoundedLines.SLOWEST, dsl).transactionResult(tx -> {
            var from = new BoundedLines(lines, 10_000);
            int imported = 0;
            for (@Nullable String line = from.nextFilled(); line != null; line = from.nextFilled()) {
                importLine(tx.dsl(), line, from.number());
                imported++;
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

    private static boolean isOfTheData(DataAccessException failure) {
        @Nullable SqlError error = SqlError.of(failure.sqlState());
        return error != null && (error.kind() == SqlError.Kind.VALUE || error.kind() == SqlError.Kind.CONSTRAINT);
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

    private static final class RolledBack extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /**
     * An order of erasure, with a digest in place of the id; {@code live} if it names pending, scheduled and held messages too.
     */
    public record Order(
            UUID digest, ErasureRequest.Kind kind, boolean live, AuditContext instruction, Instant orderedAt) {}
}
