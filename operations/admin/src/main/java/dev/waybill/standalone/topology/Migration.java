package dev.waybill.standalone.topology;

import dev.waybill.hold.AuditContext;
import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.config.NamespaceSettings;
import dev.waybill.standalone.servicebus.Entities;
import dev.waybill.standalone.servicebus.EntityWriter;
import dev.waybill.standalone.servicebus.MessageCounter;
import dev.waybill.standalone.topology.DestinationMove.Taken;
import dev.waybill.standalone.topology.Difference.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Moves an entity step by step. Each step reads the current state and does one thing, so a new migration continues a killed
 * one. A killed migration leaves the old entity in force, and its pause ends at the time in the tables. Not thread-safe.
 */
public final class Migration {
    private static final Duration LEAST_HOLD = Duration.ofSeconds(3);

    private static final Duration TAKE_AGAIN = Duration.ofMillis(50);

    /** The namespace throttles frequent requests. */
    private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

    private final Move move;
    private final Orders orders;
    private final Bus bus;
    private final Progress progress;
    private final LongSupplier nanoTime;
    private final Map<Move.Side, UUID> tokens = new HashMap<>();
    private final Map<Move.Side, Taken> taken = new HashMap<>();

    public Migration(Move move, Orders orders, Bus bus, Progress progress, LongSupplier nanoTime) {
        this.move = move;
        this.orders = orders;
        this.bus = bus;
        this.progress = progress;
        this.nanoTime = nanoTime;
    }

    public RemainingMessages leftovers() {
        return RemainingMessages.of(move.target().form().topic(), move.from(), bus.entities, bus.contents);
    }

    /** Properties of the old entity that the new one will lose, because a declaration cannot express them. */
    public List<String> notTakenOver() {
        boolean topic = move.target().form().topic();
        List<String> there = bus.entities.undeclarable(move.to(), topic);
        return bus.entities.undeclarable(move.from(), topic).stream()
                .filter(property -> !there.contains(property))
                .toList();
    }

    /** What prevents the move; empty if nothing does. */
    public List<String> obstacles(RemainingMessages old) {
        return new MigrationPreconditions(move, bus.declaration, bus.entities, bus.contents).find(old, orders.left());
    }

    /** Whether a declared setting differs that is fixed at creation. */
    public boolean isNeeded() {
        return !fixed(move.source(), bus.entities, move.namespace()).isEmpty();
    }

    /** The differing settings that are fixed at creation. */
    public static List<Difference> fixed(DestinationSettings entity, Entities entities, NamespaceSettings namespace) {
        var comparison = new Comparison(namespace, entities);
        return Target.of(new Declaration(namespace, List.of(entity))).stream()
                .flatMap(target -> target.differences(comparison).stream())
                .filter(difference -> difference.kind() == Kind.RECREATE)
                .toList();
    }

    /**
     * Whether the path is unused or holds the declared entity of an earlier attempt. An unreadable path counts as free; a later
     * step reports it.
     */
    public static boolean isFree(DestinationSettings entity, Entities entities, NamespaceSettings namespace) {
        String path = entity.place().entity();
        boolean ofOtherKind = entities.inventory().stream()
                .flatMap(all -> (entity.form().topic() ? all.queues() : all.topics()).stream())
                .anyMatch(other -> Move.isSame(other, path));
        var comparison = new Comparison(namespace, entities);
        return !ofOtherKind
                && Target.of(new Declaration(namespace, List.of(entity))).stream()
                        .flatMap(target -> target.differences(comparison).stream())
                        .allMatch(difference -> difference.kind() == Kind.MISSING || difference.kind() == Kind.UNKNOWN);
    }

    /** The first free path for the new entity, or the unused entity of an earlier attempt. */
    public static String free(DestinationSettings entity, Predicate<String> isFree) {
        String stem = entity.place().entity().replaceFirst("-\\d+$", "");
        for (int number = 2; ; number++) {
            String path = stem + "-" + number;
            if (!Move.isSame(path, entity.place().entity()) && isFree.test(path)) {
                return path;
            }
        }
    }

    public Ending run() {
        progress.step(Step.MAKE, "make " + move.to() + ", as it is declared");
        Optional<String> failed = make();
        if (failed.isPresent()) {
            return new Ending(Outcome.FAILED, failed.get(), Optional.empty());
        }
        progress.step(Step.WITHHOLD, "stop the relays' sending to " + move.from());
        Optional<Move.Side> busy = withhold();
        if (busy.isPresent()) {
            return new Ending(
                    Outcome.BUSY, "somebody else is migrating " + busy.get() + " at this moment", Optional.empty());
        }
        progress.step(Step.TAKE, "wait until nothing is on its way any more");
        long until = nanoTime.getAsLong() + orders.drainTimeout().toNanos();
        String waited = awaitAll(until, TAKE_AGAIN, this::take);
        if (waited.isEmpty()) {
            progress.step(Step.DRAIN, "wait until the consumers have emptied " + move.from());
            waited = awaitAll(until, LOOK_AGAIN, this::drain);
        }
        if (!waited.isEmpty()) {
            return givenUp(waited);
        }
        progress.step(Step.SWITCH, "put " + move.to() + " in force, and let the relays go on");
        return finish();
    }

    private Optional<String> make() {
        var application = new PlanExecution(
                new Declaration(move.namespace(), List.of(move.target())),
                bus.entities,
                bus.writer,
                new Removals(List.of(), false));
        var ends = new ArrayList<ChangeResult>();
        List<PlannedChange> plan = application.plan();
        // An unreadable setting could hide a difference, and the relays would send to a wrong entity.
        Optional<String> amiss = plan.stream()
                .filter(deed -> deed.verb() == PlannedChange.Verb.UNKNOWN || deed.verb() == PlannedChange.Verb.REFUSE)
                .findFirst()
                .map(deed -> deed.entity() + ": " + deed.setting().name() + " "
                        + deed.setting().actual());
        if (amiss.isPresent()) {
            return amiss;
        }
        application.run(plan, done -> {
            ends.add(done);
            progress.made(done);
        });
        return ends.stream()
                .filter(done ->
                        done.state() == ChangeResult.State.FAILED || done.state() == ChangeResult.State.UNREACHED)
                .map(done -> done.entity() + ": " + done.text())
                .findFirst();
    }

    /** Returns the destination that another mover holds; then releases the others. */
    private Optional<Move.Side> withhold() {
        for (Move.Side side : move.left()) {
            Optional<UUID> token = begin(side);
            if (token.isEmpty()) {
                letGo();
                return Optional.of(side);
            }
            tokens.put(side, token.get());
        }
        return Optional.empty();
    }

    // Waits for the hold of a killed predecessor to expire.
    private Optional<UUID> begin(Move.Side side) {
        long until = nanoTime.getAsLong() + orders.hold().toNanos() + LOOK_AGAIN.toNanos();
        Optional<UUID> token = side.moves().begin(move.from(), move.to(), orders.hold(), orders.instruction());
        if (token.isEmpty()) {
            progress.waits("the end of another migration of " + side + ", for up to "
                    + orders.hold().toSeconds() + " s");
        }
        while (token.isEmpty() && until - nanoTime.getAsLong() > 0) {
            rest(LOOK_AGAIN);
            prolong();
            token = side.moves().begin(move.from(), move.to(), orders.hold(), orders.instruction());
        }
        return token;
    }

    private void letGo() {
        tokens.forEach((side, token) -> side.moves().abort(token));
    }

    /** Polls until nothing blocks; returns what still blocks at the timeout. */
    private String awaitAll(long until, Duration pause, Look look) {
        String waits = "";
        String told = "";
        do {
            Optional<Move.Side> lost = prolong();
            if (lost.isPresent()) {
                return "the relays of " + lost.get()
                        + " go on: somebody has given the migration up, or this process or a"
                        + " database has stood still for " + orders.hold().toSeconds() + " s";
            }
            waits = look.waitsFor();
            if (waits.isEmpty()) {
                return "";
            }
            if (!waits.equals(told)) {
                progress.waits(waits);
                told = waits;
            }
            rest(pause);
        } while (until - nanoTime.getAsLong() > 0);
        return waits + ", after " + orders.drainTimeout().toSeconds() + " s";
    }

    /** Returns the destination whose hold was lost. */
    private Optional<Move.Side> prolong() {
        return tokens.entrySet().stream()
                .filter(side -> !side.getKey().moves().prolong(side.getValue(), orders.hold()))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    private String take() {
        for (Move.Side side : tokens.keySet()) {
            if (!taken.containsKey(side)) {
                side.moves().take().ifPresent(epochs -> taken.put(side, epochs));
            }
            if (!taken.containsKey(side)) {
                return "messages of " + side + " are on their way";
            }
        }
        return "";
    }

    // Reading many subscriptions may outlast the hold; a failed read may succeed now.
    private String drain() {
        RemainingMessages held =
                RemainingMessages.of(move.target().form().topic(), move.from(), bus.entities, bus.contents, () -> {
                    prolong();
                    bus.entities.askAgain();
                });
        return held.isOnly(orders.left())
                ? ""
                : held.unknown().orElseGet(() -> String.join(", ", held.besides(orders.left())));
    }

    private Ending givenUp(String why) {
        if (move.isHalfDone()) {
            return new Ending(
                    Outcome.HELD_UP,
                    why + ". Other outboxes send to " + move.to() + " already: run it again to complete the migration",
                    Optional.empty());
        }
        letGo();
        return new Ending(
                Outcome.HELD_UP, why + ". Given up: messages go to " + move.from() + " again", Optional.empty());
    }

    private Ending finish() {
        Optional<Duration> longest = Optional.empty();
        for (Map.Entry<Move.Side, UUID> side : tokens.entrySet()) {
            Taken lanes = taken.get(side.getKey());
            Optional<Duration> paused = lanes == null
                    ? Optional.empty()
                    : side.getKey()
                            .moves()
                            .finish(side.getValue(), lanes, move.target().form().partitioned());
            if (paused.isEmpty()) {
                return new Ending(
                        Outcome.HELD_UP,
                        "the relays of " + side.getKey() + " have gone on meanwhile, to " + move.from()
                                + ": run it again",
                        longest);
            }
            progress.switched(side.getKey(), paused.get());
            longest = longest.filter(other -> other.compareTo(paused.get()) > 0).or(() -> paused);
        }
        return new Ending(Outcome.DONE, move.to() + " is in force", longest);
    }

    private static void rest(Duration pause) {
        try {
            Thread.sleep(pause.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted; sending to the old entity resumes by itself", e);
        }
    }

    @FunctionalInterface
    private interface Look {
        String waitsFor();
    }

    /**
     * The settings of a migration.
     *
     * @param left kinds of messages that may stay in the old entity
     * @param drainTimeout the longest pause in sending
     * @param hold how long a killed migration blocks the next one; at least 3 s
     */
    public record Orders(
            Set<RemainingMessages.Kind> left, Duration drainTimeout, Duration hold, AuditContext instruction) {
        public Orders {
            left = Set.copyOf(left);
            hold = hold.compareTo(LEAST_HOLD) < 0 ? LEAST_HOLD : hold;
        }
    }

    /** The namespace and its declaration. */
    public record Bus(Declaration declaration, Entities entities, EntityWriter writer, MessageCounter contents) {}

    public enum Step {
        MAKE(1),
        /** Relays release their lanes; nothing is sent from here on. */
        WITHHOLD(2),
        TAKE(3),
        DRAIN(4),
        SWITCH(5);

        private final int number;

        Step(int number) {
            this.number = number;
        }

        public int number() {
            return number;
        }
    }

    /** Receives the progress. */
    public interface Progress {
        void step(Step step, String text);

        /** The migration waits for this. */
        void waits(String what);

        void made(ChangeResult done);

        /** An outbox sends to the new entity after a pause. */
        void switched(Move.Side side, Duration pause);
    }

    /** How it has ended. */
    public enum Outcome {
        /** The new entity is in force. */
        DONE,
        /** Another migration is active. */
        BUSY,
        /** The drain timed out; the old entity is in force. */
        HELD_UP,
        /** The new entity could not be created; nothing was stopped. */
        FAILED
    }

    public record Ending(Outcome outcome, String text, Optional<Duration> pause) {}
}
