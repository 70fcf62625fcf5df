package dev.waybill.standalone.console.page;

import dev.waybill.standalone.config.ProgramVersion;
import dev.waybill.standalone.console.access.ConsoleRole;
import dev.waybill.standalone.console.access.Databases;
import dev.waybill.standalone.console.access.Routes;
import dev.waybill.standalone.console.access.SignIn;
import dev.waybill.standalone.console.access.SignedInRequest;
import dev.waybill.standalone.console.page.form.Formats;
import dev.waybill.standalone.console.view.Assets;
import dev.waybill.standalone.console.view.Templates;
import io.javalin.http.Context;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The frame of every page: the person, the navigation, and the result of the last change. */
public final class Layout implements SignIn.Render {
    private final Templates templates = new Templates();
    private final Assets assets;
    private final Databases databases;

    public Layout(Assets assets, Databases databases) {
        this.assets = assets;
        this.databases = databases;
    }

    @Override
    public void page(Context request, String template, Map<String, ?> model) {
        var all = new HashMap<String, Object>(model);
        Optional<SignedInRequest> visit = Routes.known(request);
        all.put("asset", assets.paths());
        all.put("version", ProgramVersion.text());
        all.put("path", request.path());
        all.put("person", visit.map(each -> each.person().name()).orElse(""));
        all.put("csrf", visit.map(SignedInRequest::csrf).orElse(""));
        all.put(
                "admin",
                visit.filter(each -> each.person().rights().allowsSomewhere(ConsoleRole.ADMIN))
                        .isPresent());
        all.put(
                "databases",
                visit.map(each -> databases.of(each.person()).stream()
                                .map(database -> database.name())
                                .toList())
                        .orElse(List.of()));
        all.put("database", Optional.ofNullable(request.queryParam("db")).orElse(""));
        all.put("done", ChangeNotice.text(request.queryParam("done")));
        all.put("show", Formats.INSTANCE);
        request.contentType("text/html; charset=utf-8").result(templates.render(template, all));
    }
}
