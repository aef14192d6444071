/** CopilotKit's own chat, as its documentation has it; its runtime has QPilot as the agent. */
import { CopilotChat, CopilotKit } from '@copilotkit/react-core/v2';
import '@copilotkit/react-core/v2/styles.css';
import { createRoot } from 'react-dom/client';

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <CopilotKit runtimeUrl="/copilotkit" agent="default" enableInspector={false}>
      <main style={{ height: '100vh' }}>
        <CopilotChat />
      </main>
    </CopilotKit>,
  );
}
