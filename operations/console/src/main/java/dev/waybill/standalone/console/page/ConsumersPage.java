package dev.waybill.standalone.console.page;

import dev.waybill.standalone.console.access.ConsoleRole;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.access.Routes;
import dev.waybill.standalone.console.access.SignIn;
import dev.waybill.standalone.console.access.SignedInRequest;
import dev.waybill.standalone.database.ConsumerFacts;
import io.javalin.http.Context;
import java.util.Map;

final class ConsumersPage {
    private final SignIn.Render render;

    ConsumersPage(SignIn.Render render) {
        this.render = render;
    }

    void register(Routes routes) {
        routes.page("/consumers", ConsoleRole.VIEWER, this::show);
    }

    private void show(Context request, SignedInRequest visit, Database database) {
        var facts = new ConsumerFacts(database.viewers(), database.schema());
        render.page(request, "consumers", Map.of("consumers", facts.all(), "ids", facts.ids()));
    }
}
