package dev.waybill.standalone.console.api;

import dev.waybill.standalone.console.access.ApiRoutes;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.access.SignedInRequest;
import dev.waybill.standalone.database.ConsumerFacts;
import dev.waybill.standalone.database.ConsumerFacts.Fact;
import dev.waybill.standalone.database.DeferralReader;
import dev.waybill.standalone.database.DeferralReader.Deferral;
import dev.waybill.standalone.database.DeferralReader.Place;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Consumers and their deferrals. */
final class ConsumersApi {
    void register(ApiRoutes routes) {
        routes.get("/consumers", this::show);
        routes.get("/deferrals", this::deferrals);
    }

    private void show(Context request, SignedInRequest visit, Database database) {
        var facts = new ConsumerFacts(database.viewers(), database.schema());
        long ids = facts.ids();
        Json.answer(
                request,
                Json.row(
                        "consumers",
                        facts.all().stream().map(ConsumersApi::row).toList(),
                        "ids",
                        ids < 0 ? null : ids));
    }

    private static Map<String, @Nullable Object> row(Fact fact) {
        var held = fact.view().held();
        return Json.row(
                "consumer", fact.view().name(),
                "instances", fact.view().instances(),
                "lastAlive", fact.view().lastAlive(),
                "since", fact.since(),
                "longestAttemptMillis", fact.longestAttempt().map(Duration::toMillis),
                "holds", held.holds(),
                "parked", held.parked(),
                "heldMessages", held.messages(),
                "deferred", held.deferrals(),
                "forgottenDeferrals", held.forgotten(),
                "wantedDeferrals", fact.wanted());
    }

    private void deferrals(Context request, SignedInRequest visit, Database database) {
        int most = Requests.most(request);
        List<Deferral> found = new DeferralReader(database.viewers(), database.schema())
                .page(
                        Requests.text(request, "consumer"),
                        Requests.text(request, "key"),
                        Requests.text(request, "behind")
                                .map(ConsumersApi::place)
                                .orElse(null),
                        most + 1);
        boolean more = found.size() > most;
        List<Deferral> shown = more ? found.subList(0, most) : found;
        Json.answer(
                request,
                Json.row(
                        "deferrals",
                        shown.stream().map(ConsumersApi::row).toList(),
                        "behind",
                        more ? text(shown.get(most - 1)) : null));
    }

    // Consumers and keys may contain any character.
    private static String text(Deferral last) {
        return Json.text(
                List.of(last.named().consumer(), last.deferKey(), last.key().toString()));
    }

    private static Place place(String text) {
        List<String> parts = Json.texts(text);
        try {
            return new Place(parts.get(0), parts.get(1), UUID.fromString(parts.get(2)));
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            throw Requests.noPlace();
        }
    }

    private static Map<String, @Nullable Object> row(Deferral deferral) {
        return Json.row(
                "consumer", deferral.named().consumer(),
                "key", deferral.deferKey(),
                "message", deferral.named().messageId(),
                "session", deferral.named().session(),
                "sequenceNumber", deferral.named().sequenceNumber(),
                "state", deferral.state(),
                "deferredAt", deferral.times().deferredAt(),
                "resumeAt", deferral.times().resumeAt(),
                "tries", deferral.times().tries(),
                "hold", deferral.hold());
    }
}
