package dev.waybill.standalone.cli.status;

import dev.waybill.standalone.cli.command.ExitCode;
import dev.waybill.standalone.cli.command.Output;
import dev.waybill.standalone.database.Alarm;
import dev.waybill.standalone.database.AlarmCauses;
import dev.waybill.standalone.database.ConsumerView;
import dev.waybill.standalone.database.DestinationView;
import dev.waybill.standalone.database.Overview;
import dev.waybill.standalone.database.Overview.DeadLetterCount;
import dev.waybill.standalone.database.RelayView;
import dev.waybill.standalone.database.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Prints an overview for people or programs. */
record StatusPrinter(Output output) {
    static int code(Overview overview) {
        List<Alarm> alarms = overview.status().alarms();
        if (alarms.stream().anyMatch(Alarm::isCritical)) {
            return ExitCode.ERRORS;
        }
        return alarms.isEmpty() ? ExitCode.OK : ExitCode.WARNINGS;
    }

    void print(Overview overview) {
        if (output.isJson()) {
            output.object(json(overview));
        } else {
            text(overview);
        }
    }

    private static Map<String, Object> json(Overview overview) {
        Status status = overview.status();
        Map<String, Object> all = Output.row(
                "database", status.database(),
                "working", status.isWorking(),
                "relays", status.relays().stream().map(StatusRows::of).toList(),
                "endedRelays", status.relays().size() - status.liveRelays(),
                "destinations",
                        status.destinations().stream()
                                .map(destination -> StatusRows.of(destination, overview.flow(destination)))
                                .toList(),
                "scheduled", status.scheduled(),
                "alarms", rows(status.alarms()),
                "findings", rows(AlarmCauses.of(status.alarms())));
        all.putAll(StatusRows.around(overview));
        return all;
    }

    private void text(Overview overview) {
        Status status = overview.status();
        relays(status);
        output.say("");
        output.table(
                status.destinations().stream()
                        .map(destination -> StatusRows.forPeople(destination, overview.flow(destination)))
                        .toList(),
                "No destination has messages.");
        output.say("");
        output.say(status.scheduled() + " messages wait for their time");
        StatusRows.around(overview).values().stream()
                .filter(rows -> !rows.isEmpty())
                .forEach(rows -> {
                    output.say("");
                    output.table(rows, "");
                });
        output.say("");
        List<String> findings = new ArrayList<>(absent(overview.consumers()));
        findings.addAll(deadLetters(overview));
        output.table(
                rows(AlarmCauses.of(status.alarms())),
                standing(overview).orElse(findings.isEmpty() ? "All is well." : "Nothing is wrong with the outbox."));
        findings.forEach(output::say);
        if (overview.collectors().isEmpty() && !overview.consumers().isEmpty()) {
            output.say("No collector has run: a dead letter is on the broker alone, and is not counted here.");
        }
    }

    private static List<String> deadLetters(Overview overview) {
        long count = overview.deadLetters().stream()
                .mapToLong(DeadLetterCount::count)
                .sum();
        boolean isAtLeast = overview.deadLetters().stream().anyMatch(DeadLetterCount::isAtLeast);
        return count == 0
                ? List.of()
                : List.of("Dead letters that wait for a decision: " + (isAtLeast ? "at least " : "") + count
                        + ". 'dlq groups' has their reasons.");
    }

    // Younger than the alarms, so that it has no exit code.
    private static Optional<String> standing(Overview overview) {
        String still = overview.status().destinations().stream()
                .filter(destination ->
                        overview.flow(destination).outlook(destination).word().equals("no end in sight"))
                .map(DestinationView::name)
                .collect(Collectors.joining(", "));
        return still.isEmpty()
                ? Optional.empty()
                : Optional.of(Output.printable("No alarm yet. No message leaves " + still + "."));
    }

    // Some end on purpose, so that a missing instance is no alarm.
    private static List<String> absent(List<ConsumerView> consumers) {
        List<ConsumerView> absent =
                consumers.stream().filter(consumer -> !consumer.alive()).toList();
        return Stream.of(
                        sentence(
                                absent.stream().filter(consumer -> consumer.vanished() > 0),
                                "The last process vanished without ending in good order: its log says why."),
                        sentence(
                                absent.stream().filter(consumer -> consumer.vanished() == 0),
                                "It was ended, or has been gone for more than ten minutes: start it if it should work."))
                .flatMap(Optional::stream)
                .toList();
    }

    private static Optional<String> sentence(Stream<ConsumerView> absent, String end) {
        String names = absent.map(ConsumerView::name).collect(Collectors.joining(", "));
        return names.isEmpty()
                ? Optional.empty()
                : Optional.of(Output.printable("No process is alive of consumer " + names + ". " + end));
    }

    private void relays(Status status) {
        List<RelayView> shown = StatusRows.worthShowing(status.relays());
        output.table(shown.stream().map(StatusRows::of).toList(), "No relay is alive.");
        long ended = status.relays().size() - status.liveRelays();
        if (ended > 0 && status.liveRelays() > 0) {
            output.say(ended + " more ended within the hour");
        }
    }

    private static List<Map<String, Object>> rows(List<Alarm> alarms) {
        return alarms.stream().map(StatusRows::of).toList();
    }
}
