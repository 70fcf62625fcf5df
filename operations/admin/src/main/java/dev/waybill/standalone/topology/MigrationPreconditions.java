package dev.waybill.standalone.topology;

import dev.waybill.standalone.config.DestinationSettings.Subscription;
import dev.waybill.standalone.servicebus.Entities;
import dev.waybill.standalone.servicebus.MessageCounter;
import dev.waybill.standalone.topology.Difference.Kind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Checks what prevents a move before the move stops anything. */
final class MigrationPreconditions {
    private final Move move;
    private final Declaration declaration;
    private final Entities entities;
    private final MessageCounter contents;
    private final List<String> found = new ArrayList<>();

    MigrationPreconditions(Move move, Declaration declaration, Entities entities, MessageCounter contents) {
        this.move = move;
        this.declaration = declaration;
        this.entities = entities;
        this.contents = contents;
    }

    List<String> find(RemainingMessages old, Set<RemainingMessages.Kind> left) {
        relays();
        sessionless();
        forwarders();
        source();
        target();
        old.unknown().ifPresent(found::add);
        for (RemainingMessages.Kind kind : RemainingMessages.Kind.values()) {
            if (kind != RemainingMessages.Kind.ACTIVE && old.count(kind) > 0 && !left.contains(kind)) {
                found.add(String.join(", ", old.besides(allBut(kind))) + ", which do not drain: " + kind.remedy()
                        + "; or leave them there with --leave " + kind.label());
            }
        }
        return found;
    }

    private static Set<RemainingMessages.Kind> allBut(RemainingMessages.Kind kind) {
        return EnumSet.complementOf(EnumSet.of(kind));
    }

    private void relays() {
        for (Move.Side side : move.left()) {
            List<String> others = side.moves().notFollowing();
            if (!others.isEmpty()) {
                found.add("relays that serve " + side + " know of no migrations, because they are older or have another"
                        + " publisher: " + String.join(", ", others) + ". Bring them up to date or stop them");
            }
        }
    }

    private void sessionless() {
        boolean required = move.target().form().sessions()
                || move.target().subscriptions().values().stream().anyMatch(Subscription::sessions);
        if (required) {
            move.left().stream()
                    .filter(side -> side.moves().hasSessionless())
                    .forEach(side -> found.add("messages without a session wait in the outbox, for " + side + ", and "
                            + move.to() + " requires sessions: let them go out, or skip those on hold"));
        }
    }

    // Forwarded messages would still arrive at the old entity.
    private void forwarders() {
        declaration.entities().stream()
                .filter(entity -> !Move.isSame(entity.place().entity(), move.from()))
                .filter(entity -> Declaration.targets(entity).anyMatch(target -> Move.isSame(target, move.from())))
                .forEach(entity -> found.add("destination." + entity.name() + " forwards to " + move.from()
                        + ": take the forwarding away, or let it lead to " + move.to() + " when that is in force"));
    }

    private void source() {
        var comparison = new Comparison(move.namespace(), entities);
        var source = new Declaration(move.namespace(), List.of(move.source()));
        Target.of(source).stream()
                .flatMap(target -> target.differences(comparison).stream())
                .forEach(this::source);
        if (move.target().form().topic()) {
            subscriptions();
        }
    }

    private void source(Difference difference) {
        if (difference.kind() == Kind.UNKNOWN) {
            found.add(difference.entity() + " could not be read: "
                    + difference.setting().actual());
        } else if (difference.kind() == Kind.MISSING && Move.isSame(difference.entity(), move.from())) {
            found.add(move.from() + " is not there: topology apply makes what is declared");
        } else if (difference.kind() == Kind.UNDECLARED) {
            // The new entity is created from the declaration and would lose it.
            found.add(difference.entity() + " has " + difference.setting().name() + " '"
                    + difference.setting().actual()
                    + "', which is not declared and would not be made: declare it or take it away");
        }
    }

    private void subscriptions() {
        move.target().subscriptions().keySet().forEach(this::actions);
        Optional<List<String>> names = entities.subscriptionsOf(move.from());
        names.orElse(List.of()).stream()
                .filter(name -> move.target().subscriptions().keySet().stream()
                        .noneMatch(declared -> Move.isSame(declared, name)))
                .forEach(name -> found.add("the subscription " + name + " of " + move.from()
                        + " is not declared and would not be made: declare it, or delete it with `topology apply --delete "
                        + Comparison.path(move.from(), name) + "`"));
    }

    // A declaration cannot express actions; an operator may have created them.
    private void actions(String subscription) {
        List<String> there = entities.actingRules(move.to(), subscription);
        entities.actingRules(move.from(), subscription).stream()
                .filter(rule -> there.stream().noneMatch(made -> Move.isSame(made, rule)))
                .forEach(rule -> found.add("the rule " + rule + " of " + Comparison.path(move.from(), subscription)
                        + " has an action, which cannot be declared and would not be made: make " + move.to()
                        + " with it by hand, and name that with --to"));
    }

    private void target() {
        if (Move.isSame(move.from(), move.to())) {
            found.add("'" + move.to() + "' is where it is: name another entity with --to");
            return;
        }
        declaration.entities().stream()
                .filter(entity -> Move.isSame(entity.place().entity(), move.to()))
                .filter(entity -> move.sides().stream()
                        .noneMatch(side -> side.destination().equals(entity.name())))
                .forEach(entity -> found.add("'" + move.to() + "' is the entity of destination." + entity.name()
                        + ": name another one with --to"));
        var comparison = new Comparison(move.namespace(), entities);
        List<Target> targets = Target.of(new Declaration(move.namespace(), List.of(move.target())));
        List<Difference> differences = targets.stream()
                .peek(target -> entities.forget(target.path()))
                .flatMap(target -> target.differences(comparison).stream())
                .toList();
        differences.stream()
                .filter(difference -> difference.kind() == Kind.UNKNOWN)
                .forEach(difference -> found.add(difference.entity() + " could not be read: "
                        + difference.setting().actual()));
        List<Difference> fixed = differences.stream()
                .filter(difference -> difference.kind() == Kind.RECREATE || difference.kind() == Kind.UNDECLARED)
                .toList();
        fixed.forEach(difference -> found.add(
                difference.entity() + " is there, with " + difference.setting().name() + " '"
                        + difference.setting().actual() + "': name another entity with --to"));
        if (move.sides().size() == move.left().size() && isThere(comparison, targets)) {
            RemainingMessages held = RemainingMessages.of(move.target().form().topic(), move.to(), entities, contents);
            held.besides(Set.of())
                    .forEach(text -> found.add(
                            text + ", which would be handled before what comes: name another entity with --to"));
        }
    }

    private static boolean isThere(Comparison comparison, List<Target> targets) {
        return Stream.of(targets.get(0))
                .flatMap(target -> target.differences(comparison).stream())
                .noneMatch(difference -> difference.kind() == Kind.MISSING || difference.kind() == Kind.UNKNOWN);
    }
}
