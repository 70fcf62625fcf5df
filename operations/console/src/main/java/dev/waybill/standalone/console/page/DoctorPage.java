package dev.waybill.standalone.console.page;

import dev.waybill.standalone.console.access.ConsoleRole;
import dev.waybill.standalone.console.access.Databases;
import dev.waybill.standalone.console.access.Refusal;
import dev.waybill.standalone.console.access.Routes;
import dev.waybill.standalone.console.access.SignIn;
import dev.waybill.standalone.console.access.SignedInRequest;
import dev.waybill.standalone.doctor.Diagnosis;
import dev.waybill.standalone.doctor.Finding;
import io.javalin.http.Context;
import java.util.HashMap;
import java.util.List;

/** The doctor's findings. They name all databases and namespaces, so they need a role in every database. */
final class DoctorPage {
    private final SignIn.Render render;
    private final DoctorRuns rounds;
    private final Databases databases;

    DoctorPage(SignIn.Render render, DoctorRuns rounds, Databases databases) {
        this.render = render;
        this.rounds = rounds;
        this.databases = databases;
    }

    void register(Routes routes) {
        routes.people("/doctor", ConsoleRole.VIEWER, this::show);
    }

    record Line(Finding finding, String word, String tone) {
        static Line of(Finding finding) {
            if (finding.mistake() == Diagnosis.BROKER_AWAY) {
                return new Line(finding, "not reached", "bad");
            }
            return switch (finding.severity()) {
                case ERROR -> new Line(finding, "error", "bad");
                case WARNING -> new Line(finding, "warning", "warn");
                case UNVERIFIED -> new Line(finding, "not verified", "idle");
            };
        }
    }

    private void show(Context request, SignedInRequest visit) {
        if (!databases.areAllOf(visit.person())) {
            throw new Refusal(403, "The doctor reads all databases, so it needs a role in each of them.");
        }
        DoctorRuns.Seen seen = rounds.latest();
        List<Line> lines = seen.findings().stream().map(Line::of).toList();
        var model = new HashMap<String, Object>();
        model.put("lines", lines);
        model.put("age", seen.ageSeconds());
        model.put("examined", seen.ageSeconds() >= 0);
        model.put("running", seen.running());
        model.put("problem", seen.problem());
        render.page(request, "doctor", model);
    }
}
