package dev.waybill.standalone.cli.topology;

import dev.waybill.hold.AuditContext;
import dev.waybill.standalone.cli.command.ExitCode;
import dev.waybill.standalone.cli.command.Output;
import dev.waybill.standalone.config.ConsumerSettings;
import dev.waybill.standalone.log.AuditLog;
import dev.waybill.standalone.topology.AzureCommands;
import dev.waybill.standalone.topology.ChangeResult;
import dev.waybill.standalone.topology.Migration.Ending;
import dev.waybill.standalone.topology.Migration.Progress;
import dev.waybill.standalone.topology.Migration.Step;
import dev.waybill.standalone.topology.Move;
import dev.waybill.standalone.topology.RemainingMessages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Prints the progress of a migration, and logs its changes to the audit log. */
final class MigrationReport implements Progress {
    private final Output output;
    private final String destination;
    private final AuditContext instruction;
    private final List<String> lines = new ArrayList<>();
    private Optional<Duration> pause = Optional.empty();

    MigrationReport(Output output, String destination, AuditContext instruction) {
        this.output = output;
        this.destination = destination;
        this.instruction = instruction;
    }

    void say(String text) {
        lines.add(text);
        if (!output.isJson()) {
            output.say(Output.printable(text));
        }
    }

    private void tell(String deed) {
        AuditLog.tell("Topology: " + deed, instruction.operator(), instruction.reason());
    }

    void plan(Move move, RemainingMessages old) {
        boolean topic = move.target().form().topic();
        List<String> outboxes = move.left().stream().map(Move.Side::toString).toList();
        List<String> holds = old.besides(Set.of());
        say(destination + " moves from " + move.from() + " to " + move.to() + " in the namespace '"
                + move.namespace().name() + "':");
        say("  make " + move.to() + " as it is declared" + (topic ? ", with subscriptions and rules" : ""));
        say("  stop the sending of " + String.join(", ", outboxes));
        say("  wait until consumers have emptied " + move.from());
        say("  put " + move.to() + " in force, and let the relays go on");
        say("Now " + (holds.isEmpty() ? move.from() + " is empty." : String.join(", ", holds) + "."));
    }

    void notTakenOver(Move move, List<String> properties) {
        if (!properties.isEmpty()) {
            say(move.to() + " does not get what no declaration can name: " + String.join(", ", properties) + " of "
                    + move.from() + ". To keep it, make " + move.to()
                    + " with it by hand before, and name it with --to");
        }
    }

    /** Prints the remaining manual steps. */
    void after(Move move, List<ConsumerSettings> consumers) {
        String topic = move.target().form().topic() ? "/SUBSCRIPTION" : "";
        say("By hand:");
        say("  give the identities of relays and consumers their roles on " + move.to()
                + ", if they have them by entity:");
        say("    " + new AzureCommands(move.namespace().host().orElse("")).allowSending(move.target()));
        say("  let each consumer of " + move.from() + topic + " receive from " + move.to() + topic
                + ", under its name: before the switch beside the old one, or after it instead" + declared(consumers));
        say("  set destination." + destination + ".entity to " + move.to() + " in every configuration");
        say("  waybill-relay topology apply --delete " + move.from() + "   # when nobody needs what it holds");
    }

    private String declared(List<ConsumerSettings> consumers) {
        List<String> names = consumers.stream()
                .filter(consumer -> consumer.receivesFrom(destination))
                .map(ConsumerSettings::name)
                .toList();
        return names.isEmpty() ? "" : "; declared are: " + String.join(", ", names);
    }

    void givenUp(Move move, boolean dryRun) {
        if (!dryRun) {
            tell("given up: messages of " + destination + " go to " + move.from());
        }
        say((dryRun ? "Would give up" : "Given up") + ": messages go to " + move.from() + ". " + move.to()
                + " stays, if it was made");
    }

    /** Prints the outcome; returns the exit code. */
    int ended(Ending ending, Move move, List<ConsumerSettings> consumers) {
        pause = ending.pause();
        say(ending.text()
                + pause.map(time -> ". Nothing was sent for " + seconds(time)).orElse(""));
        return switch (ending.outcome()) {
            case DONE -> {
                after(move, consumers);
                yield end("done", true, ExitCode.OK);
            }
            case BUSY -> end("busy", false, ExitCode.BUSY);
            case HELD_UP -> {
                tell("not ended: " + ending.text());
                yield end("held up", false, ExitCode.ERRORS);
            }
            case FAILED -> end("failed", false, ExitCode.FAILED);
        };
    }

    int end(String state, boolean changed, int code) {
        if (output.isJson()) {
            output.object(Output.row(
                    "destination", destination,
                    "state", state,
                    "changed", changed,
                    "pauseMillis", pause.map(Duration::toMillis).orElse(0L),
                    "lines", lines));
        }
        return code;
    }

    private static String seconds(Duration pause) {
        return pause.toMillis() / 1000.0 + " s";
    }

    @Override
    public void step(Step step, String text) {
        say(step.number() + "/" + Step.values().length + " " + text);
        if (step == Step.WITHHOLD) {
            tell("stops the sending of " + destination + " for a migration");
        }
    }

    @Override
    public void waits(String what) {
        say("    waits: " + what);
    }

    @Override
    public void made(ChangeResult done) {
        String text = done.state().name().toLowerCase(Locale.ROOT) + " " + done.entity() + " in the namespace '"
                + done.namespace() + "'" + (done.text().isEmpty() ? "" : ": " + done.text());
        say("    " + text);
        tell(text);
    }

    @Override
    public void switched(Move.Side side, Duration time) {
        tell("switched " + side + ", which had sent nothing for " + seconds(time));
    }
}
