package dev.waybill.standalone.console.api;

import dev.waybill.hold.AuditContext;
import dev.waybill.relay.Destinations;
import dev.waybill.relay.Destinations.Pause;
import dev.waybill.standalone.console.access.ApiRoutes;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.access.Refusal;
import dev.waybill.standalone.console.access.SignedInRequest;
import dev.waybill.standalone.database.KnownDestinations;
import io.javalin.http.Context;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;

/** Pauses and resumes destinations. */
final class DestinationsApi {
    void register(ApiRoutes routes) {
        routes.get("/destination", this::show);
        routes.post("/destination/pause", this::pause);
        routes.post("/destination/resume", this::resume);
    }

    private void show(Context request, SignedInRequest visit, Database database) {
        answer(request, known(request, database), Destinations.of(database.viewers(), database.schema()), false);
    }

    private static void answer(Context request, String name, Destinations destinations, boolean changed) {
        Optional<Pause> pause = destinations.pauseOf(name);
        request.header("ETag", Requests.tag(mark(pause)));
        Json.answer(
                request,
                Json.row(
                        "destination", name,
                        "paused", pause.isPresent(),
                        "since", pause.map(Pause::since),
                        "operator", pause.map(Pause::operator),
                        "reason", pause.map(Pause::reason),
                        "changed", changed));
    }

    private static String mark(Optional<Pause> pause) {
        return pause.map(each -> each.since() + " " + each.operator() + " " + each.reason())
                .orElse("goes on");
    }

    // A repeated request changes nothing.
    private void pause(Context request, SignedInRequest visit, Database database) {
        String name = known(request, database);
        AuditContext instruction = Requests.instruction(Json.read(request, List.of("reason")), visit);
        var destinations = Destinations.of(database.operators(), database.schema());
        boolean changed = destinations.pauseUnlessPaused(name, instruction);
        answer(request, name, destinations, changed);
    }

    private void resume(Context request, SignedInRequest visit, Database database) {
        String name = known(request, database);
        AuditContext instruction = Requests.instruction(Json.read(request, List.of("reason")), visit);
        String seen = Requests.seen(request);
        var destinations = Destinations.of(database.operators(), database.schema());
        Optional<Pause> pause = destinations.pauseOf(name);
        if (pause.isPresent()) {
            if (!Requests.tag(mark(pause)).equals(seen) || !destinations.resume(pause.get(), instruction)) {
                throw Requests.changed();
            }
        }
        answer(request, name, destinations, pause.isPresent());
    }

    private static String known(Context request, Database database) {
        String name = Requests.required(request, "name");
        try {
            KnownDestinations.require(name, database.settings(), database.viewers());
            return name;
        } catch (NoSuchElementException e) {
            throw new Refusal(404, String.valueOf(e.getMessage()));
        }
    }
}
