package dev.waybill.standalone.console.api;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waybill.deadletter.ContentMask;
import dev.waybill.standalone.config.ConsoleSettings;
import dev.waybill.standalone.console.access.ApiRoutes;
import dev.waybill.standalone.console.access.ConsoleRole;
import dev.waybill.standalone.console.access.Routes;
import dev.waybill.standalone.console.access.SignIn;
import dev.waybill.standalone.console.page.Bodies;
import dev.waybill.standalone.console.page.Pages;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;

/** The API, its OpenAPI description, and the page that shows it. */
public final class Api {
    private static final String DESCRIPTION = "dev/waybill/standalone/console/openapi.json";

    private Api() {}

    public static void register(
            ApiRoutes api,
            Routes pages,
            SignIn.Render render,
            Pages.Sources sources,
            ConsoleSettings.Messages messages) {
        ContentMask mask = messages.mask();
        new StatusApi(sources.databases(), sources.outlooks()).register(api);
        new DestinationsApi().register(api);
        new MessagesApi(mask, sources.contents()).register(api);
        new HoldBulkApi().register(api);
        new HoldsApi(mask).register(api);
        new LetterBulkApi(sources.redrives()).register(api);
        new LetterImportApi().register(api);
        new LettersApi(mask).register(api);
        new LetterActionsApi(mask).register(api);
        new BodiesApi(new Bodies(messages)).register(api);
        new ConsumersApi().register(api);
        new ScheduledApi(mask).register(api);
        new ReplaysApi().register(api);
        new DoctorApi(sources.rounds(), sources.databases()).register(api);
        new AuditApi().register(api);
        describe(pages, render);
    }

    private static void describe(Routes pages, SignIn.Render render) {
        byte[] description = description();
        pages.file("/api/openapi.json", "application/json", description);
        Map<String, Object> document = parsed(description);
        pages.people(
                "/api",
                ConsoleRole.VIEWER,
                (request, visit) -> render.page(request, "api", Map.of("document", document)));
    }

    private static byte[] description() {
        try (InputStream in = Api.class.getClassLoader().getResourceAsStream(DESCRIPTION)) {
            if (in == null) {
                throw new IllegalStateException(DESCRIPTION + " is not on the class path");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, Object> parsed(byte[] description) {
        try {
            return new ObjectMapper().readValue(description, new TypeReference<>() {});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
