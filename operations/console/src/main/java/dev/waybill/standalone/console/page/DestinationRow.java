package dev.waybill.standalone.console.page;

import dev.waybill.standalone.config.Times;
import dev.waybill.standalone.database.DestinationView;
import dev.waybill.standalone.database.Flow;
import dev.waybill.standalone.database.Overview;
import java.util.List;

/** A destination in the overview. */
record DestinationRow(DestinationView view, Course course, String deadLetters, State state) {
    /** The flow of its messages, with a forecast unless that is obvious. */
    record Course(Flow flow, String outlook, Sparkline spark) {}

    /** A state with its colour: ok, idle, warn or bad. */
    record State(String word, String tone) {}

    static List<DestinationRow> of(OverviewCache.Seen seen, Overview overview, DestinationEntities entities) {
        return overview.status().destinations().stream()
                .map(view -> of(view, seen, overview, entities))
                .toList();
    }

    static DestinationRow of(
            DestinationView view, OverviewCache.Seen seen, Overview overview, DestinationEntities entities) {
        Flow flow = overview.flow(view);
        Flow.Outlook outlook = flow.outlook(view);
        return new DestinationRow(
                view,
                new Course(flow, words(outlook), Sparkline.of(seen.samples().getOrDefault(view.name(), List.of()))),
                entities.deadLetters(view.name(), overview),
                state(view, outlook, overview));
    }

    public Flow flow() {
        return course.flow;
    }

    public String outlook() {
        return course.outlook;
    }

    public Sparkline spark() {
        return course.spark;
    }

    private static String words(Flow.Outlook outlook) {
        return outlook.left()
                .map(left -> "done in " + Times.roughly(left))
                .orElse(
                        switch (outlook.word()) {
                            case "nothing waits", "flows" -> "";
                            default -> outlook.word();
                        });
    }

    private static State state(DestinationView view, Flow.Outlook outlook, Overview overview) {
        if (view.paused().isPresent()) {
            return new State("paused", "warn");
        }
        String alarm = overview.status().alarms().stream()
                .filter(each -> each.isCritical()
                        && (each.destination().isEmpty()
                                || each.destination().get().equals(view.name())))
                .map(each -> each.name())
                .findFirst()
                .orElse("");
        if (!alarm.isEmpty() && (view.pending() > 0 || !alarm.equals("no-relay"))) {
            return new State(alarm, "bad");
        }
        if (view.held().sessions() > 0) {
            return new State("holds", "warn");
        }
        return view.pending() == 0 ? new State("idle", "idle") : waiting(outlook);
    }

    private static State waiting(Flow.Outlook outlook) {
        return switch (outlook.word()) {
            case "flows" -> new State("flowing", "ok");
            case "ends" -> new State("catching up", "ok");
            default -> new State("waiting", "warn");
        };
    }
}
