package dev.waybill.standalone.topology;

import dev.waybill.standalone.servicebus.Entities;
import dev.waybill.standalone.servicebus.EntityWriter;
import dev.waybill.standalone.servicebus.WriteResult;
import dev.waybill.standalone.servicebus.WriteResult.Result;
import dev.waybill.standalone.topology.ChangeResult.State;
import dev.waybill.standalone.topology.Difference.Kind;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Changes a namespace to match its declaration. It reads and changes each entity until nothing differs. So a killed run and a
 * concurrent run cause no harm. Not thread-safe.
 */
public final class PlanExecution {
    private static final int ATTEMPTS = 6;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);

    private final Declaration declaration;
    private final Entities entities;
    private final EntityWriter writer;
    private final Removals removals;
    private final Comparison comparison;

    /**
     * Opens one namespace.
     *
     * @throws IllegalArgumentException if a declared entity is to be deleted
     */
    public PlanExecution(Declaration declaration, Entities entities, EntityWriter writer, Removals removals) {
        this.declaration = declaration;
        this.entities = entities;
        this.writer = writer;
        this.removals = removals;
        this.comparison = new Comparison(declaration.namespace(), entities);
        removals.all().forEach(removal -> removal.check(declaration));
    }

    /** The changes that {@link #run} would make, and the differences that stay. */
    public List<PlannedChange> plan() {
        return new Plan(declaration, entities).deeds(removals);
    }

    /** Runs the changes one by one; stops when the namespace is unreachable. */
    public void run(List<PlannedChange> plan, Consumer<ChangeResult> each) {
        Set<String> paths = plan.stream()
                .filter(deed -> deed.verb().isChange())
                .map(PlannedChange::entity)
                .collect(Collectors.toSet());
        for (Target target : Target.of(declaration)) {
            if (paths.contains(target.path()) && !goesOn(bring(target), each)) {
                return;
            }
        }
        for (Removal removal : removals.all()) {
            if (paths.contains(removal.path()) && !goesOn(delete(removal), each)) {
                return;
            }
        }
    }

    private static boolean goesOn(ChangeResult done, Consumer<ChangeResult> each) {
        each.accept(done);
        return done.state() != State.UNREACHED;
    }

    private ChangeResult bring(Target target) {
        var made = new LinkedHashSet<String>();
        ChangeResult done = bring(target, made);
        boolean broken = done.state() == State.FAILED || done.state() == State.UNREACHED;
        return broken && !made.isEmpty()
                ? done(done.entity(), done.state(), done.text() + "; done before that: " + String.join(", ", made))
                : done;
    }

    private ChangeResult bring(Target target, Set<String> made) {
        State state = State.UNCHANGED;
        String why = "";
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            entities.forget(target.path());
            List<Difference> differences = target.differences(comparison);
            Optional<ChangeResult> end = end(target, differences, state);
            if (end.isPresent()) {
                return end.get();
            }
            boolean missing = differences.stream().anyMatch(difference -> difference.kind() == Kind.MISSING);
            WriteResult written = missing ? target.create(writer) : target.change(writer, differences, made::add);
            if (written.result() == Result.REFUSED || written.result() == Result.SILENT) {
                return failed(target.path(), written);
            }
            state = state(state, made, missing && written.result() == Result.DONE);
            if (written.result() == Result.DONE) {
                why = "the namespace takes the change, and still shows another " + settings(differences);
            } else {
                why = written.why();
                pause(attempt);
            }
        }
        return done(target.path(), State.FAILED, "after " + ATTEMPTS + " attempts: " + why);
    }

    // Some of several changes to one entity may have succeeded.
    private static State state(State before, Set<String> made, boolean created) {
        if (created) {
            made.add("creation");
            return State.CREATED;
        }
        return before == State.UNCHANGED && !made.isEmpty() ? State.CHANGED : before;
    }

    private static String settings(List<Difference> differences) {
        return differences.stream()
                .filter(difference -> difference.kind() == Kind.CHANGE)
                .map(difference -> difference.setting().name())
                .collect(Collectors.joining(", "));
    }

    private Optional<ChangeResult> end(Target target, List<Difference> differences, State state) {
        Optional<Difference> unknown = differences.stream()
                .filter(difference -> difference.kind() == Kind.UNKNOWN)
                .findFirst();
        if (unknown.isPresent()) {
            return Optional.of(unknown(target.path(), unknown.get().setting().actual()));
        }
        Optional<Difference> fixed = differences.stream()
                .filter(difference -> difference.kind() == Kind.RECREATE && state == State.UNCHANGED)
                .findFirst();
        boolean differs = differences.stream()
                .anyMatch(difference -> difference.kind() == Kind.MISSING || difference.kind() == Kind.CHANGE);
        if (differs) {
            return Optional.empty();
        }
        // A concurrent process created it with other settings.
        return Optional.of(fixed.map(difference -> done(
                        target.path(),
                        State.FAILED,
                        "somebody has made it with " + difference.setting().name() + " "
                                + difference.setting().actual()))
                .orElseGet(() -> done(target.path(), state, target.kind())));
    }

    private ChangeResult delete(Removal removal) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Removal.Found found = removal.find(entities);
            if (found.unknown().isPresent()) {
                return unknown(removal.path(), found.unknown().get());
            }
            if (found.messages().isEmpty()) {
                return done(removal.path(), attempt == 0 ? State.UNCHANGED : State.DELETED, "");
            }
            long messages = found.messages().get();
            if (messages > 0 && !removals.withMessages()) {
                return done(removal.path(), State.FAILED, "it holds " + messages + " messages by now");
            }
            WriteResult written = removal.delete(entities, writer);
            if (written.result() == Result.DONE) {
                return done(removal.path(), State.DELETED, messages + " messages went with it");
            }
            if (written.result() == Result.REFUSED || written.result() == Result.SILENT) {
                return failed(removal.path(), written);
            }
            pause(attempt);
        }
        return done(removal.path(), State.FAILED, "it is still there after " + ATTEMPTS + " attempts");
    }

    private ChangeResult unknown(String path, String why) {
        return done(path, entities.isAnswering() ? State.FAILED : State.UNREACHED, why);
    }

    private ChangeResult failed(String path, WriteResult written) {
        return done(path, written.result() == Result.SILENT ? State.UNREACHED : State.FAILED, written.why());
    }

    private ChangeResult done(String path, State state, String text) {
        return new ChangeResult(declaration.namespace().name(), path, state, text.strip());
    }

    private static void pause(int attempt) {
        try {
            Thread.sleep(FIRST_PAUSE.toMillis() << attempt);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted; the next apply completes it", e);
        }
    }
}
