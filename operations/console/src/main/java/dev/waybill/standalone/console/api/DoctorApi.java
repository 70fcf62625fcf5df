package dev.waybill.standalone.console.api;

import dev.waybill.standalone.console.access.ApiRoutes;
import dev.waybill.standalone.console.access.Databases;
import dev.waybill.standalone.console.access.Refusal;
import dev.waybill.standalone.console.access.SignedInRequest;
import dev.waybill.standalone.console.page.DoctorRuns;
import dev.waybill.standalone.doctor.Finding;
import io.javalin.http.Context;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The doctor's findings. They name all databases and namespaces, so they need a role in every database. */
final class DoctorApi {
    private final DoctorRuns rounds;
    private final Databases databases;

    DoctorApi(DoctorRuns rounds, Databases databases) {
        this.rounds = rounds;
        this.databases = databases;
    }

    void register(ApiRoutes routes) {
        routes.any("/doctor", this::show);
    }

    private void show(Context request, SignedInRequest visit) {
        if (!databases.areAllOf(visit.person())) {
            throw new Refusal(403, "The doctor reads all databases, so it needs a role in each of them.");
        }
        DoctorRuns.Seen seen = rounds.latest();
        Json.answer(
                request,
                Json.row(
                        "findings",
                        seen.findings().stream().map(DoctorApi::row).toList(),
                        "examined",
                        seen.ageSeconds() >= 0,
                        "ageSeconds",
                        seen.ageSeconds() < 0 ? null : seen.ageSeconds(),
                        "running",
                        seen.running(),
                        "problem",
                        seen.problem().isEmpty() ? null : seen.problem()));
    }

    private static Map<String, @Nullable Object> row(Finding finding) {
        return Json.row(
                "mistake", finding.mistake(),
                "severity", finding.severity(),
                "where", finding.where(),
                "evidence", finding.evidence(),
                "fix", finding.fix());
    }
}
