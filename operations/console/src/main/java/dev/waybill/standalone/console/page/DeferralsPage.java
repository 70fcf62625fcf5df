package dev.waybill.standalone.console.page;

import dev.waybill.standalone.console.access.ConsoleRole;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.access.Refusal;
import dev.waybill.standalone.console.access.Routes;
import dev.waybill.standalone.console.access.SignIn;
import dev.waybill.standalone.console.access.SignedInRequest;
import dev.waybill.standalone.console.page.form.Forms;
import dev.waybill.standalone.database.DeferralReader;
import dev.waybill.standalone.database.DeferralReader.Deferral;
import dev.waybill.standalone.database.DeferralReader.Place;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Deferred messages by consumer and key, and which of them no application has asked for. */
final class DeferralsPage {
    private static final int ROWS = 50;

    private final SignIn.Render render;

    DeferralsPage(SignIn.Render render) {
        this.render = render;
    }

    void register(Routes routes) {
        routes.page("/deferrals", ConsoleRole.VIEWER, this::show);
    }

    private void show(Context request, SignedInRequest visit, Database database) {
        String consumer = Forms.parameter(request, "consumer").strip();
        String key = Forms.parameter(request, "key");
        @Nullable Place after = place(request);
        List<Deferral> found = new DeferralReader(database.viewers(), database.schema())
                .page(given(consumer), given(key), after, ROWS + 1);
        boolean more = found.size() > ROWS;
        List<Deferral> shown = more ? found.subList(0, ROWS) : found;
        render.page(
                request,
                "deferrals",
                Map.of(
                        "consumer",
                        consumer,
                        "key",
                        key,
                        "deferrals",
                        shown,
                        "first",
                        after == null,
                        "last",
                        more ? List.of(shown.get(ROWS - 1)) : List.of()));
    }

    private static Optional<String> given(String text) {
        return Optional.of(text).filter(each -> !each.isEmpty());
    }

    private static @Nullable Place place(Context request) {
        String after = Forms.parameter(request, "after");
        if (after.isEmpty()) {
            return null;
        }
        try {
            return new Place(
                    Forms.parameter(request, "aconsumer"), Forms.parameter(request, "akey"), UUID.fromString(after));
        } catch (IllegalArgumentException e) {
            throw new Refusal(400, "The parameter after must come from an earlier page.");
        }
    }
}
