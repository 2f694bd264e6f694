package io.manafold.itests;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.osgi.framework.Constants;
import org.osgi.framework.FrameworkUtil;

/**
 * What such a test looks at is frames and messages, or the same again in another place: Felix is enough unless the
 * build asks for both. What binds, is replaced, starts or stops is tested in each framework always.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ExtendWith(OneFramework.Felix.class)
public @interface OneFramework {

    /** Whether this is Felix, or both are asked for, or another one alone. */
    final class Felix implements ExecutionCondition {
        private static final String NAME = "org.apache.felix.framework";

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            if (Boolean.getBoolean("manafold.both.frameworks")) {
                return ConditionEvaluationResult.enabled("both frameworks are asked for");
            }
            if (!System.getProperty("manafold.frameworks").equals("*")) {
                return ConditionEvaluationResult.enabled("this framework is asked for");
            }
            String here = FrameworkUtil.getBundle(Felix.class).getBundleContext()
                    .getBundle(Constants.SYSTEM_BUNDLE_LOCATION).getSymbolicName();
            return here.equals(NAME) ? ConditionEvaluationResult.enabled("this is Felix")
                    : ConditionEvaluationResult.disabled("in Felix, and with -Plong here, too");
        }
    }
}
