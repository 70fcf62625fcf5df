package dev.waybill.deadletter.redrive;

import static dev.waybill.schema.jooq.Tables.DEAD_LETTER;
import static dev.waybill.schema.jooq.Tables.DEAD_LETTER_REDRIVE;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.countDistinct;
import static org.jooq.impl.DSL.val;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.RedrivePlan;
import dev.waybill.deadletter.RedriveRequest;
import dev.waybill.deadletter.RedriveRequest.Way;
import dev.waybill.deadletter.store.DeadLetterRows;
import dev.waybill.hold.AuditContext;
import dev.waybill.message.BrokerNames;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;

/** Chooses the letters of a run, and finds obstacles before it begins. */
final class RedrivePlanner {
    private static final int OBSTACLES_SHOWN = 20;

    private final SchemaName schema;

    RedrivePlanner(SchemaName schema) {
        this.schema = schema;
    }

    RedrivePlan plan(DSLContext dsl, Condition which, RedriveRequest request) {
        Condition open = in(which, DeadLetter.State.OPEN);
        List<Share> shares = shares(dsl, open, request);
        var obstacles = new ArrayList<>(unserved(dsl, shares, request));
        if (shares.stream().anyMatch(share -> share.unsendable > 0)) {
            obstacles.addAll(obstacles(dsl, open));
        }
        var destinations = new TreeMap<String, Long>();
        shares.forEach(share -> destinations.merge(share.destination, share.messages, Long::sum));
        return new RedrivePlan(
                shares.stream().mapToLong(Share::messages).sum(),
                sessions(dsl, open),
                destinations,
                dsl.fetchCount(DEAD_LETTER, in(which, DeadLetter.State.QUARANTINED)),
                obstacles);
    }

    /** Whether all letters can be sent; cheaper than a plan. */
    boolean isPossible(DSLContext dsl, Condition which, RedriveRequest request) {
        List<Share> shares = shares(dsl, in(which, DeadLetter.State.OPEN), request);
        return shares.stream().allMatch(share -> share.unsendable == 0)
                && unserved(dsl, shares, request).isEmpty();
    }

    long begin(DSLContext tx, Condition which, RedriveRequest request, AuditContext instruction) {
        long run = tx.insertInto(DEAD_LETTER_REDRIVE)
                .set(DEAD_LETTER_REDRIVE.WAY, DeadLetterRows.column(request.way()))
                .set(DEAD_LETTER_REDRIVE.TARGET, request.target().orElse(null))
                .set(DEAD_LETTER_REDRIVE.CANARY, boxed(request.canary()))
                .set(DEAD_LETTER_REDRIVE.RATE, boxed(request.rate()))
                .set(DEAD_LETTER_REDRIVE.OPERATOR, instruction.operator())
                .set(DEAD_LETTER_REDRIVE.REASON, instruction.reason())
                .returning(DEAD_LETTER_REDRIVE.ID)
                .fetchSingle(DEAD_LETTER_REDRIVE.ID);
        int items = RedrivePages.write(tx, run, in(which, DeadLetter.State.OPEN));
        tx.update(DEAD_LETTER_REDRIVE)
                .set(DEAD_LETTER_REDRIVE.ITEMS, items)
                .where(DEAD_LETTER_REDRIVE.ID.eq(run))
                .execute();
        return run;
    }

    private static Condition in(Condition which, DeadLetter.State state) {
        return which.and(DEAD_LETTER.STATE.eq(DeadLetterRows.column(state)));
    }

    private static @Nullable Integer boxed(OptionalInt number) {
        return number.isPresent() ? number.getAsInt() : null;
    }

    private List<Share> shares(DSLContext dsl, Condition open, RedriveRequest request) {
        var moved = MovedDestinations.of(dsl, schema);
        return dsl.select(
                        DEAD_LETTER.ENTITY,
                        count(),
                        count().filterWhere(SendObstacle.ofRow().isNotNull()))
                .from(DEAD_LETTER)
                .where(open)
                .groupBy(DEAD_LETTER.ENTITY)
                .orderBy(DEAD_LETTER.ENTITY)
                .fetch(row -> new Share(
                        row.value1(),
                        request.target().orElseGet(() -> moved.destination(row.value1())),
                        row.value2(),
                        row.value3()));
    }

    private List<String> unserved(DSLContext dsl, List<Share> shares, RedriveRequest request) {
        if (request.way() == Way.CONSUMER) {
            String consumer = request.target().orElseThrow();
            return shares.isEmpty() || isKnown(dsl, consumer)
                    ? strangers(dsl, shares, consumer)
                    : List.of("no consumer of the name '" + consumer + "' has ever been at work in this database");
        }
        Set<String> served = dsl.fetch("select destination from " + schema.table("outbox_destination"))
                .intoSet(0, String.class);
        return shares.stream()
                .filter(share -> !served.contains(share.destination))
                .map(share -> "no relay has ever served the destination '" + share.destination + "', where "
                        + share.messages + " would go" + otherSpelling(served, share.destination))
                .toList();
    }

    // Its handler would get messages of another entity. A destination that has moved is one entity.
    private List<String> strangers(DSLContext dsl, List<Share> shares, String consumer) {
        List<String> received = dsl.fetch(
                        new SqlFiles(RedrivePlanner.class, schema).get("consumer-entities"), val(consumer))
                .into(String.class);
        var moved = MovedDestinations.of(dsl, schema);
        Set<String> own = received.stream().map(moved::place).collect(Collectors.toSet());
        return shares.stream()
                .filter(share -> !own.isEmpty() && !own.contains(moved.place(share.entity)))
                .map(share -> "the consumer '" + consumer + "' receives from '" + String.join("', '", received)
                        + "', and the letters are of '" + share.entity
                        + "'; name the consumer of that entity, or send them to an entity")
                .toList();
    }

    private static String otherSpelling(Set<String> served, String destination) {
        return served.stream()
                .filter(name -> BrokerNames.same(name, destination))
                .findFirst()
                .map(name -> "; it serves '" + name + "'")
                .orElse("");
    }

    String unserved(DSLContext dsl, String entity, RedriveRequest request) {
        String destination = request.target()
                .orElseGet(() -> MovedDestinations.of(dsl, schema).destination(entity));
        return String.join("; ", unserved(dsl, List.of(new Share(entity, destination, 1, 0)), request));
    }

    private boolean isKnown(DSLContext dsl, String consumer) {
        return dsl.fetchSingle(new SqlFiles(RedrivePlanner.class, schema).get("consumer-known"), val(consumer))
                .get(0, Boolean.class);
    }

    Map<Long, String> refusals(DSLContext dsl, Condition which, RedriveRequest request) {
        Condition open = in(which, DeadLetter.State.OPEN);
        List<Share> shares = shares(dsl, open, request);
        var refusals = new TreeMap<Long, String>();
        for (Share share : shares) {
            List<String> unserved = unserved(dsl, List.of(share), request);
            if (!unserved.isEmpty()) {
                dsl.select(DEAD_LETTER.ID)
                        .from(DEAD_LETTER)
                        .where(open, DEAD_LETTER.ENTITY.eq(share.entity))
                        .forEach(row -> refusals.put(row.value1(), unserved.get(0)));
            }
        }
        if (shares.stream().anyMatch(share -> share.unsendable > 0)) {
            obstructed(dsl, open, Integer.MAX_VALUE).forEach(refusals::put);
        }
        return refusals;
    }

    private static long sessions(DSLContext dsl, Condition open) {
        return dsl.select(countDistinct(BrokerNames.key(DEAD_LETTER.SESSION_ID)))
                .from(DEAD_LETTER)
                .where(open)
                .fetchSingle()
                .value1();
    }

    private static List<String> obstacles(DSLContext dsl, Condition open) {
        var texts = new ArrayList<String>();
        obstructed(dsl, open, OBSTACLES_SHOWN).forEach((id, why) -> texts.add("dead letter " + id + " " + why));
        return texts;
    }

    private static Map<Long, String> obstructed(DSLContext dsl, Condition open, int most) {
        Field<String> obstacle = SendObstacle.ofRow();
        return dsl.select(DEAD_LETTER.ID, obstacle)
                .from(DEAD_LETTER)
                .where(open, obstacle.isNotNull())
                .orderBy(DEAD_LETTER.ID)
                .limit(most)
                .fetchMap(DEAD_LETTER.ID, obstacle);
    }

    private record Share(String entity, String destination, long messages, long unsendable) {}
}
