package dev.waybill.standalone.console.page;

import dev.waybill.deadletter.ContentMask;
import dev.waybill.standalone.config.ConsoleSettings;
import dev.waybill.standalone.console.access.ConsoleRole;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.access.Refusal;
import dev.waybill.standalone.console.access.Routes;
import dev.waybill.standalone.console.access.SignIn;
import dev.waybill.standalone.console.access.SignedInRequest;
import dev.waybill.standalone.console.page.form.Formats;
import dev.waybill.standalone.console.page.form.Forms;
import dev.waybill.standalone.message.BodyText;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The first bytes of a body as JSON, XML, text or bytes. */
final class BodyPage {
    private final SignIn.Render render;
    private final Bodies bodies;
    private final ContentMask mask;

    BodyPage(SignIn.Render render, ConsoleSettings.Messages messages) {
        this.render = render;
        this.bodies = new Bodies(messages);
        this.mask = messages.mask();
    }

    void register(Routes routes) {
        routes.page("/body", ConsoleRole.OPERATOR, this::show);
    }

    /** A body and the parameters of its address. */
    private record Place(Bodies.Found found, String address) {}

    private void show(Context request, SignedInRequest visit, Database database) {
        Place place = place(request, database);
        @Nullable BodyText body = place.found.body();
        Bodies.tell(place.found, visit.person(), database);
        List<Form> forms = body == null ? List.of() : forms(body);
        String as = Forms.parameter(request, "as");
        Form form = forms.stream()
                .filter(each -> each.word.equals(as))
                .findFirst()
                .orElseGet(() -> forms.isEmpty() ? new Form("", List::of) : forms.get(0));
        var model = new HashMap<String, Object>(Map.of(
                "masked",
                mask.hidesInBodies(),
                "of",
                place.found.of(),
                "address",
                place.address,
                "missing",
                place.found.missing(),
                "size",
                body == null ? "" : body.size(),
                "forms",
                forms.stream().map(Form::word).toList(),
                "form",
                form.word,
                "text",
                String.join("\n", form.lines.get())));
        render.page(request, "body", model);
    }

    private Place place(Context request, Database database) {
        String letter = Forms.parameter(request, "letter");
        if (!letter.isEmpty()) {
            return new Place(bodies.ofLetter(Forms.number(letter), database), "letter=" + letter);
        }
        String scope = Forms.parameter(request, "scope");
        String message = Forms.parameter(request, "message");
        String session = Forms.parameter(request, "session");
        if (scope.isEmpty() || message.isEmpty()) {
            throw new Refusal(400, "The address names no message. Open a body from the trace of a message.");
        }
        return new Place(
                bodies.ofHeld(new Bodies.Sought(scope, message, session), database),
                "scope=" + Formats.INSTANCE.url(scope) + "&message=" + Formats.INSTANCE.url(message) + "&session="
                        + Formats.INSTANCE.url(session));
    }

    /** A format; its lines are rendered on demand. */
    private record Form(String word, Supplier<List<String>> lines) {}

    private static List<Form> forms(BodyText body) {
        var forms = new ArrayList<Form>();
        List<String> json = body.jsonLines();
        List<String> xml = json.isEmpty() ? body.xmlLines() : List.of();
        if (!json.isEmpty()) {
            forms.add(new Form("json", () -> json));
        }
        if (!xml.isEmpty()) {
            forms.add(new Form("xml", () -> xml));
        }
        if (body.isText()) {
            forms.add(new Form("text", body::textLines));
        }
        forms.add(new Form("bytes", body::dump));
        return forms;
    }
}
