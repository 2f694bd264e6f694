package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.adapter.Fault;
import io.manafold.api.refusal.Refusal;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FaultComponentTest {
    private final List<Object> injected = new ArrayList<>();
    private final FaultComponent component = new FaultComponent();

    private Adapter adapter() {
        return (Adapter) Proxy.newProxyInstance(Adapter.class.getClassLoader(), new Class<?>[] {Adapter.class},
                (_, method, arguments) -> switch (method.getName()) {
                    case "name" -> "one";
                    case "faults" -> List.of();
                    case "inject" -> {
                        injected.add(arguments[0]);
                        yield null;
                    }
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    @Test
    void aCompletionIsWithheldAtThePortThatIsNamed() {
        component.addAdapter(adapter());
        component.activate(Map.of("name", "f", "adapter", "one", "effect", "withhold-completion", "port", "one/1"));
        assertThat(injected).singleElement().isInstanceOfSatisfying(Fault.class, fault -> {
            assertThat(fault.effect()).isEqualTo(Fault.Effect.WITHHOLD_COMPLETION);
            assertThat(fault.message()).isEqualTo("one/1");
        });
        component.deactivate();
    }

    @Test
    void anAnswerGoesWrongByItsMessage() {
        component.activate(Map.of("name", "f", "adapter", "one", "effect", "late", "message", "configure-vport-tx",
                "delay", 5L));
        assertThat(injected).isEmpty();
        component.addAdapter(adapter());
        assertThat(injected).singleElement().isEqualTo(new Fault("f", "configure-vport-tx", Fault.Effect.LATE,
                0xc0000022, 5, false));
    }

    @Test
    void whatIsNoEffectIsRefused() {
        assertThatThrownBy(() -> component.activate(Map.of("name", "f", "adapter", "one", "effect", "nosuch")))
                .isInstanceOf(Refusal.class).hasMessageContaining("withhold or withhold-completion");
    }
}
